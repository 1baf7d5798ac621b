// A comment with files: the first one brings the text with it. Pictures that the text shows are attached to its comment afterwards.
import { usesMarkdown } from '../../../core/account/session.ts'
import { attachFile } from '../../../core/drafts/attach-file.ts'
import { RestError } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { isShownIn, wordsAbout } from '../../../parts/text/picture-words.ts'

interface Written {
  text: string
  isPrivate: boolean
  files: readonly File[]
}

/** Files that were attached before the rest was refused. */
const attached = new WeakSet<File>()
/** Pictures whose comment was sent without them. */
const late = new WeakSet<File>()

/**
 * Sends the files and the text. `sendText` sends the text with everything else; it is not needed if a file brings the text. Returns the
 * pictures that could not be attached after the text was sent; undefined if the text was refused because of a conflict.
 */
export async function sendWithFiles(
  bugId: number,
  { text, isPrivate, files }: Written,
  { hasMore, sendText }: { hasMore: boolean; sendText(): Promise<boolean> },
): Promise<readonly File[] | undefined> {
  const isPicture = (file: File) => usesMarkdown.value && (late.has(file) || isShownIn(text, file))
  let comment = hasMore ? '' : text
  for (const file of files) {
    if (attached.has(file) || isPicture(file)) continue
    await attachFile(bugId, file, { comment, isPrivate })
    attached.add(file)
    if (!hasMore) comment = ''
  }
  if ((hasMore || comment.trim() !== '') && !(await sendText())) return undefined
  const left: File[] = []
  for (const file of files.filter(isPicture))
    await attachPicture(bugId, file, { isPrivate, summary: wordsAbout(text, file) || 'Picture' }).catch(() => {
      late.add(file)
      left.push(file)
    })
  if (left.length > 0)
    showToast({
      kind: 'failed',
      text: `The comment is sent, but ${left.length === 1 ? 'a picture is' : `${left.length} pictures are`} not attached. Send again to attach what is left.`,
    })
  return left
}

/** If the comment takes no more pictures, it is attached like any other file. */
async function attachPicture(bugId: number, file: File, details: { isPrivate: boolean; summary: string }) {
  try {
    await attachFile(bugId, file, { ...details, inComment: true })
  } catch (fault) {
    if (!(fault instanceof RestError) || fault.reason !== 'bad_value') throw fault
    await attachFile(bugId, file, details)
  }
}
