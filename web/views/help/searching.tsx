import { WORDS_ARE_IN } from '../../core/bugs/field-places.ts'
import { standardLabel } from '../../core/bugs/fields.ts'

const examples = (): readonly (readonly [search: string, meaning: string])[] => [
  ['1001', 'opens bug 1001'],
  ['battery', `open bugs with “battery” in ${placesOfWords()}`],
  ['ALL battery', 'the same, also among closed bugs'],
  ['"battery low"', 'the two words together'],
  ['battery|power', 'either word'],
  ['-battery', 'without the word'],
  ['product:Firmware', 'in that product'],
  ['component:Radio severity:critical', 'with both values'],
  ['assignee:emil', 'whose assignee has “emil” in the login name'],
  ['@emil', 'the same, shorter'],
  ['#"does not start"', 'with the text in a comment or the summary'],
  ['P1-2', 'priority 1 or 2'],
]

export function Searching() {
  return (
    <>
      <p>Type into the field at the top of every page (press / to get there). Several words must all be found.</p>
      <table class="table">
        <tbody>
          {examples().map(([search, meaning]) => (
            <tr key={search}>
              <td>
                <code>{search}</code>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function placesOfWords() {
  const places = WORDS_ARE_IN.map((name) => `the ${standardLabel(name).toLowerCase()}`)
  return `${places.slice(0, -1).join(', ')} or ${places.at(-1)}`
}
