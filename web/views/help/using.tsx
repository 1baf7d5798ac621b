import { hrefOf } from '../../core/router.ts'

const HOW_TO: readonly (readonly [what: string, how: string])[] = [
  [
    'Change a value',
    'Click it on the page of the bug, or press e and a letter. It is saved at once; Undo takes it back for a few seconds. Plain text cannot be changed by you: click it to learn why.',
  ],
  [
    'Comment and change together',
    'Below the text, “and also” sends a status, a request or hours in the same change. The button says what will happen.',
  ],
  ['Attach files', 'Drop them on the box that you write in, or paste a picture.'],
  [
    'Mention a bug, a comment or a file',
    'Write “bug 1001”, “comment 3” or “attachment 7”: they become links, and bugs are looked up while you write.',
  ],
  [
    'Ask a user for something',
    'Use “Ask for something” beside the bug, or Request below a comment. What is asked of you is counted in the bar at the top and listed on the page of requests.',
  ],
  [
    'When another user was faster',
    'Changes of other fields are all kept. If both of you changed the same field or the status, both values are shown in its place, and you choose.',
  ],
  [
    'What is new',
    'A line in the stream says where you stopped reading. The home page lists bugs that were changed since you looked.',
  ],
  ['The bug as it was', 'In its menu, “As it was on…” shows it on any day, with a slider over its history.'],
  [
    'Change many bugs',
    'Select rows of a list (x, or Shift for a range; the box in the head selects all bugs of the search). Choose what to change, look at the preview, then change them.',
  ],
  [
    'Keep a search',
    'The menu at the right of a list saves it, shares it with a group, or mails it to you. Settings has all of your searches, to rename and delete.',
  ],
  [
    'Nothing is lost',
    'What you begin to write stays in this browser until it is sent, with the status and the requests that you chose. The home page lists it under Drafts.',
  ],
]

/** How the pages are used from day to day. */
export function Using() {
  return (
    <>
      <dl>
        {HOW_TO.map(([what, how]) => (
          <div key={what} class="help-word">
            <dt>
              <b>{what}</b>
            </dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <p>
        Programs do the same through the{' '}
        <a class="link underlined" href={hrefOf('/rest/docs')}>
          REST API
        </a>
        .
      </p>
    </>
  )
}
