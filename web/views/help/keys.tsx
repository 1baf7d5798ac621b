import { byKeyName, keyNames } from '../../core/key-names.ts'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search'],
  ['c', 'file a bug'],
  ['j k', 'next and previous row of a list'],
  ['x', 'select a row; Shift X selects up to it, E changes what is selected'],
  ['Enter', 'open the row'],
  ['p a s m', 'change priority, assignee, severity or milestone of the bug, of the row, or of the selected bugs'],
  ['o', 'show or hide the preview beside the list'],
  ['e', 'on a bug or a row, then a letter: edit a field, such as E P for the priority; E E changes the status'],
  ['r', 'reply on a bug, with what is selected as a quote'],
  ['.', 'actions of a bug'],
  ['y', 'copy the link of a bug'],
  ['Esc', 'close what is open, leave what is written'],
  ['Ctrl Enter', 'send what is written; in the administration, save the changes of the page'],
  ['z', 'undo, while a message offers it'],
  ['g h', 'go home'],
  ['g l', 'go to the open bugs'],
  ['g i', 'go to the inbox'],
  ['g r', 'go to requests'],
  ['g p', 'go to products'],
  ['Ctrl k', 'everything by name'],
  ['?', 'the keys of the page that is open'],
]

const SORTED = KEYS.toSorted(([one], [other]) => byKeyName(one, other))

export function Keys() {
  return (
    <table class="table">
      <tbody>
        {SORTED.map(([keys, what]) => (
          <tr key={keys}>
            <td>
              {keyNames(keys).map((key, place) => (
                <kbd key={place}>{key}</kbd>
              ))}
            </td>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
