import { useEffect, useMemo, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { get, put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { useBugStore } from '../use-bug.ts'
import { mayHideVersions } from './comment-rights.ts'
import { diffOf } from './text-diff.ts'

interface Version {
  version: number
  text: string | null
  is_hidden: boolean
  creator: string
  time: string
}

/** Every version of a comment, the newest first, with what changed in it. */
export function VersionsDialog({ comment, onClose }: { comment: Comment; onClose(): void }) {
  const store = useBugStore()
  const [versions, setVersions] = useState<readonly Version[]>([])
  const load = () =>
    get(addressOf('/bug/comment/:comment_id/versions', { comment_id: comment.id })).then(
      (answer) => setVersions(answer.versions),
      (fault: unknown) => {
        showFault(fault)
        onClose()
      },
    )
  useEffect(() => {
    void load()
  }, [])
  const hide = async (version: number, isHidden: boolean) => {
    try {
      await put('/editcomments/revision', { comment_id: comment.id, version, is_hidden: isHidden })
      await load()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <Dialog
      title={`Versions of comment ${comment.count}`}
      onClose={onClose}
      buttons={<Button onClick={onClose}>Close</Button>}
    >
      <ol class="comment-versions" reversed>
        {versions.toReversed().map((it) => (
          <li key={it.version}>
            <div class="row wrap">
              <b dir="auto">{nameOf(personBy(it.creator))}</b>
              <span class="faint small">
                <Time at={it.time} />
              </span>
              {it.is_hidden && <span class="badge badge-secret">hidden</span>}
              {it.version === versions.length - 1 ? (
                <span class="badge">now</span>
              ) : (
                mayHideVersions(store) && (
                  <span class="align-end">
                    <Button size="small" kind="quiet" onClick={() => void hide(it.version, !it.is_hidden)}>
                      {it.is_hidden ? 'Show to all' : 'Hide'}
                      <span class="visually-hidden"> version {it.version + 1}</span>
                    </Button>
                  </span>
                )
              )}
            </div>
            <VersionText before={versions[it.version - 1]} now={it} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function VersionText({ before, now }: { before: Version | undefined; now: Version }) {
  const parts = useMemo(
    () => (now.text === null || before?.text == null ? undefined : diffOf(before.text, now.text)),
    [before?.text, now.text],
  )
  if (now.text === null) return <p class="faint">This version is hidden.</p>
  return (
    <p class="comment-version" dir="auto">
      {parts === undefined
        ? now.text
        : parts.map(({ kind, text }, place) => {
            if (kind === 'removed') return <del key={place}>{text}</del>
            return kind === 'added' ? <ins key={place}>{text}</ins> : text
          })}
    </p>
  )
}
