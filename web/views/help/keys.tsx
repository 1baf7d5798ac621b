const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search'],
  ['c', 'file a bug'],
  ['j k', 'next and previous row of a list'],
  ['x', 'select a row; X selects up to it, e changes what is selected'],
  ['Enter', 'open the row'],
  ['p a s m', 'in a list: change priority, assignee, severity or milestone of the row, or of the selected bugs'],
  ['o', 'show or hide the preview beside the list'],
  ['e', 'on a bug or a row, then a letter: edit a field, such as e p for the priority; e e changes the status'],
  ['r', 'reply on a bug, with what is selected as a quote'],
  ['.', 'actions of a bug'],
  ['Ctrl Enter', 'send what is written'],
  ['z', 'undo, while a message offers it'],
  ['g h', 'go home'],
  ['g l', 'go to the open bugs'],
  ['g r', 'go to requests'],
  ['g p', 'go to products'],
  ['Ctrl k', 'everything by name'],
  ['?', 'the keys of the page that is open'],
]

export function Keys() {
  return (
    <table class="tbl">
      <tbody>
        {KEYS.map(([keys, what]) => (
          <tr key={keys}>
            <td>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </td>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
