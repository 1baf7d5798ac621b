import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { currentAddress, hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['Bug', 'Something that is wrong or wanted. Each has a number that never changes.'],
  [
    'Product, component',
    'What the bug is about: a thing that is made, and a part of it. The component decides who gets new bugs.',
  ],
  ['Status', 'How far a bug is. Administrators decide which status can follow which.'],
  ['Resolution', 'Why a bug is closed: fixed, a duplicate, and so on.'],
  ['Severity', 'How bad it is for users who meet it.'],
  ['Priority', 'How soon it should be done.'],
  ['Milestone', 'The release that the bug should be done for.'],
  ['Assignee', 'Who works on it.'],
  ['QA contact', 'Who tests whether it is really done.'],
  ['CC', 'Who gets mail about it.'],
  ['Flag', 'A question to people, with its answer: review? asks, review+ grants, review− denies.'],
  [
    'Group',
    'People with the same rights. A bug with groups is seen only by their members and by those who are named in it.',
  ],
  ['Alias', 'Another name of a bug, easier to remember than its number.'],
  ['Depends on, blocks', 'Bugs that must be done first, and bugs that wait for this one.'],
]

export function Words() {
  return (
    <>
      <dl>
        {WORDS.map(([word, meaning]) => (
          <div key={word} class="help-word">
            <dt>
              <b>{word}</b>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Keywords />
    </>
  )
}

/** What the keywords of this installation mean, each with its bugs. */
function Keywords() {
  const { body } = useData(addressOf('/keyword'))
  const heading = useRef<HTMLHeadingElement>(null)
  const isMeant = currentAddress.value.hash === 'keywords'
  useEffect(() => {
    if (isMeant && body !== undefined) heading.current?.scrollIntoView()
  }, [isMeant, body !== undefined])
  if (body === undefined) return null
  return (
    <section aria-label="Keywords" id="keywords">
      <h3 ref={heading}>Keywords</h3>
      <p>
        {body.keywords.length === 0
          ? 'There are none here yet.'
          : 'Labels that bugs of every product can have. Each leads to its bugs.'}
      </p>
      <dl>
        {body.keywords.map(({ id, name, description }) => (
          <div key={id} class="help-word">
            <dt>
              <a class="link" dir="auto" href={hrefOf(`/bugs?${new URLSearchParams({ keywords: name })}`)}>
                {name}
              </a>
            </dt>
            <dd dir="auto">{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
