import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { useCommands, useKeys } from '../../../core/keys.ts'
import { currentAddress, hrefOf } from '../../../core/router.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { useFileDialog } from '../../../parts/file-dialog.tsx'
import { focusHeading } from '../../../parts/focus-back.ts'
import { late } from '../../../parts/late.tsx'
import { Pictures } from '../../../parts/text/text-contexts.ts'
import { WritingBox } from '../../../parts/text/writing-box.tsx'
import type { BugStore } from '../bug-store.ts'
import { ConflictRow } from '../properties/property-row.tsx'
import { useFlagTypes } from '../status/flag-actions.tsx'
import { useBug, useBugStore } from '../use-bug.ts'
import { ExtrasRow } from './also.tsx'
import { composerExtras, focusRequests } from './composed.ts'
import { ReplyDialog } from './late-reply-dialog.ts'
import { answersIn, openQuestions } from './open-questions.ts'
import { peopleOfBug } from './people-of-bug.ts'
import { COMPOSER_STATUS, type CommentDraft, sendComposed, submitLabel, unavailableReason } from './send.ts'
import { useAdditions, useComposer } from './use-composer.ts'

const Files = late(async () => (await import('./files.tsx')).Files)

/** Writing a comment, with what goes with it. The text is kept until it is sent. */
export function Composer() {
  const store = useBugStore()
  const { id } = useBug()
  if (me.value === undefined)
    return (
      <p class="composer-off">
        <a class="link" href={hrefOf(`/login?to=${encodeURIComponent(currentAddress.value.path)}`)}>
          Log in
        </a>{' '}
        to write a comment.
      </p>
    )
  if (store.access.value?.edit.allowed === false)
    return <p class="composer-off faint">You may read this bug, but not comment on it.</p>
  if (store.bug.value?.restrict_comments && store.isAccessKnown.value && !store.may('comment'))
    return <p class="composer-off faint">Only editors can comment on this bug.</p>
  return <ComposerForm key={id} id={id} />
}

function ComposerForm({ id }: { id: number }) {
  const store = useBugStore()
  const area = useRef<HTMLTextAreaElement>(null)
  const { whole: written, chosen, setDraft, setFiles, lost, areKept, clear } = useComposer(id)
  const questions = useQuestions(store)
  const whole = { ...written, flags: [...written.flags, ...answersIn(questions, written.text)] }
  const [rounds, setRounds] = useState(0)
  const [isBusy, setBusy] = useState(false)
  useAdditions(area, whole, setDraft)
  const reason = unavailableReason(whole)
  const send = async () => {
    if (reason !== undefined || isBusy) return
    setBusy(true)
    // It may be tried again later, with what is written then.
    const sent = await sendComposed(store, whole, () => void latestSend.current())
    if (sent !== undefined && clear(sent, chosen)) {
      setRounds(rounds + 1)
      document.body.classList.remove('is-writing')
    }
    setBusy(false)
  }
  const latestSend = useRef(send)
  latestSend.current = send
  const focusLastComment = () => {
    const comment = document.getElementById(`c${store.comments.value.at(-1)?.count}`)
    comment?.setAttribute('tabindex', '-1')
    if (comment === null) focusHeading()
    else comment.focus({ preventScroll: true })
  }
  useLayoutEffect(() => {
    // A new box replaces the one that was sent. The reader goes on from the comment, with keys too.
    if (rounds !== 0 && document.activeElement === document.body) focusLastComment()
  }, [rounds])
  useCommands([{ name: 'Write a comment', run: () => focusRequests.value++ }])
  const addFiles = (added: readonly File[]) => setFiles([...whole.files, ...added])
  const conflict = store.conflicts.value.get(COMPOSER_STATUS)
  const box = (
    <WritingBox
      key={rounds}
      label="Write a comment"
      areaLabel="Comment"
      area={area}
      rows={4}
      text={whole.text}
      onText={(text) => setDraft({ text, isPrivate: whole.isPrivate })}
      onFiles={addFiles}
      mentionable={{ bugId: id, isPrivate: whole.isPrivate, people: () => peopleOfBug(store) }}
      onEscape={() => {
        document.body.classList.remove('is-writing')
        focusLastComment()
      }}
      head={
        <HeadButtons
          onFiles={addFiles}
          onReply={({ text, isPrivate }) => {
            const gap = whole.text === '' || whole.text.endsWith('\n') ? '' : '\n\n'
            setDraft({ text: whole.text + gap + text, isPrivate: whole.isPrivate || isPrivate })
            focusRequests.value++
          }}
        />
      }
    >
      {(whole.files.length > 0 || lost.length > 0) && (
        <Files
          files={whole.files}
          text={whole.text}
          lost={lost}
          areKept={areKept}
          onRemove={async (file) => {
            setFiles(whole.files.filter((it) => it !== file))
            const { withoutPicture } = await import('../../../parts/text/picture-words.ts')
            setDraft({ text: withoutPicture(area.current?.value ?? whole.text, file), isPrivate: whole.isPrivate })
          }}
        />
      )}
      <ExtrasRow questions={questions} />
      {conflict !== undefined && (
        <dl class="properties composer-conflict">
          <ConflictRow name={COMPOSER_STATUS} conflict={conflict} />
        </dl>
      )}
      <div class="composer-foot">
        {store.bug.value?.restrict_comments && <span class="badge">Only editors comment here</span>}
        <PrivateBox draft={whole} setDraft={setDraft} store={store} />
        <span class="align-end faint small only-wide" role="status">
          {unavailableReason(whole) === 'Write something first.' ? '' : 'Draft saved'}
        </span>
        <Button kind="primary" isBusy={isBusy} unavailable={reason} onClick={send}>
          {isBusy ? 'Sending…' : submitLabel(whole)}
        </Button>
      </div>
    </WritingBox>
  )
  const pictureOf = (reference: string) => {
    const file = whole.files.find(({ name }) => name === reference)
    return file && { file }
  }
  return <Pictures.Provider value={pictureOf}>{box}</Pictures.Provider>
}

/** The open questions of the bug that the reader may answer. */
function useQuestions(store: BugStore) {
  const { flags = [] } = useBug()
  const types = useFlagTypes(store.may('flags') && flags.some(({ status }) => status === '?'), 'bug')
  const mayConfirm = store.may('is_confirmed')
  return openQuestions(flags, { types, mayConfirm }, composerExtras.value.answers)
}

interface HeadProps {
  onFiles(files: readonly File[]): void
  onReply(reply: { text: string; isPrivate: boolean }): void
}

function HeadButtons({ onFiles, onReply }: HeadProps) {
  const dialog = useFileDialog(onFiles)
  const [isChoosing, setChoosing] = useState(false)
  const choose = () => setChoosing(true)
  useCommands([
    { name: 'Attach a file', run: dialog.open },
    { name: 'Insert a canned reply', run: choose },
  ])
  useKeys([{ keys: 'i', what: 'Insert a canned reply', run: choose }])
  return (
    <span class="align-end row composer-tools">
      {dialog.input}
      <IconButton name="Insert a canned reply" icon="quote" shortcut="i" size="small" onClick={choose} />
      {isChoosing && (
        <ReplyDialog
          onClose={() => setChoosing(false)}
          onChoice={(reply) => {
            setChoosing(false)
            onReply(reply)
          }}
        />
      )}
      <IconButton name="Attach a file" icon="clip" size="small" onClick={dialog.open} />
      <span class="only-phone">
        <IconButton name="Close" icon="x" size="small" onClick={() => document.body.classList.remove('is-writing')} />
      </span>
    </span>
  )
}

function PrivateBox({
  draft,
  setDraft,
  store,
}: {
  draft: CommentDraft
  setDraft(draft: CommentDraft): void
  store: BugStore
}) {
  if (!store.may('comment_is_private')) return null
  return (
    <label class="checkbox-label">
      <input
        type="checkbox"
        class="checkbox"
        checked={draft.isPrivate}
        onChange={(event) => setDraft({ text: draft.text, isPrivate: event.currentTarget.checked })}
      />
      Private <span class="faint only-wide">only insiders see it</span>
    </label>
  )
}
