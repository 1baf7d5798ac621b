import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useKeys } from '../../../core/keys.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { PlaceHead } from '../place-head.tsx'
import type { Reply } from './canned-reply.ts'
import { DeleteReply } from './delete-reply.tsx'
import { ReplyForm } from './reply-form.tsx'

/** Texts for comments on bugs of every product. Each is saved by itself. */
export function CannedReplies() {
  const { body, fault, reload } = useData(addressOf('/canned_reply', { for_editing: true }))
  const version = useData(addressOf('/admin/changes'))
  const [text, setText] = useState('')
  const [open, setOpen] = useState<'new' | { changed: Reply } | { deleted: Reply }>()
  useKeys([{ keys: 'n', what: 'New canned reply', run: () => setOpen('new') }])
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const all = body.canned_replies
  const shown = all.filter((it) => isFound(text, it.name, it.text, it.group ?? ''))
  const rest = { onClose: () => setOpen(undefined), version: version.body?.version ?? 0 }
  const onSaved = () => {
    version.reload()
    reload()
  }
  return (
    <>
      <p class="muted">
        These can be used on bugs of every product. Each product has replies of its own besides, on{' '}
        <a class="link" href={hrefOf('/admin/products')}>
          its page
        </a>
        .
      </p>
      <PlaceHead
        actions={
          <>
            <span class="faint">
              {shown.length === all.length
                ? `${shown.length} ${shown.length === 1 ? 'reply' : 'replies'}`
                : `${shown.length} of ${all.length}`}
            </span>
            <Button icon="plus" shortcut="n" onClick={() => setOpen('new')}>
              New canned reply
            </Button>
          </>
        }
      >
        <FindBox label="Find a canned reply" text={text} onText={setText} found={shown.length} />
      </PlaceHead>
      <div class="with-trail">
        {shown.length === 0 ? (
          <Empty icon="quote" title={all.length === 0 ? 'There are no canned replies yet' : 'No canned reply matches'}>
            <p>A canned reply is a text that is put into a comment with two keys, such as a question to reporters.</p>
          </Empty>
        ) : (
          <ul class="card rows" aria-label="Canned replies">
            {shown.map((reply) => (
              <ReplyRow
                key={reply.id}
                reply={reply}
                onChange={() => setOpen({ changed: reply })}
                onDelete={() => setOpen({ deleted: reply })}
              />
            ))}
          </ul>
        )}
        <AuditTrail classes={['Tracker::CannedReply']} {...version.body} />
      </div>
      {open === 'new' && <ReplyForm {...{ ...rest, onSaved }} reply={undefined} />}
      {typeof open === 'object' && 'changed' in open && <ReplyForm {...{ ...rest, onSaved }} reply={open.changed} />}
      {typeof open === 'object' && 'deleted' in open && <DeleteReply {...{ ...rest, onSaved }} reply={open.deleted} />}
    </>
  )
}

function ReplyRow({ reply, onChange, onDelete }: { reply: Reply; onChange(): void; onDelete(): void }) {
  const { name, text, group, is_private: isPrivate } = reply
  return (
    <li class="keyword-row">
      <span class="grow">
        <b dir="auto">{name}</b> <span class="badge">{group === null ? 'every user' : `for ${group}`}</span>
        {isPrivate && <span class="badge badge-secret">private</span>}
        <span class="muted keyword-about" dir="auto">
          {text.split('\n').find((line) => line.trim() !== '')}
        </span>
      </span>
      <IconButton name={`Change ${name}`} icon="edit" onClick={onChange} />
      <IconButton name={`Delete ${name}`} icon="trash" onClick={onDelete} />
    </li>
  )
}
