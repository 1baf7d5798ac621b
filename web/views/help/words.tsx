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
  )
}
