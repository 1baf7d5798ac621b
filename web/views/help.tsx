import type { ComponentType } from 'preact'
import type { View as Address } from '../../shared/addresses.ts'
import { hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { Bugzilla } from './help/bugzilla.tsx'
import { Keys } from './help/keys.tsx'
import { Searching } from './help/searching.tsx'
import { Using } from './help/using.tsx'
import { Words } from './help/words.tsx'

const TOPICS: readonly { topic: string; title: string; Text: ComponentType }[] = [
  { topic: 'using', title: 'Working with bugs', Text: Using },
  { topic: 'searching', title: 'Searching', Text: Searching },
  { topic: 'keys', title: 'Keys', Text: Keys },
  { topic: 'words', title: 'What the words mean', Text: Words },
  { topic: 'bugzilla', title: 'Coming from Bugzilla', Text: Bugzilla },
]

export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('Help')
  const shown = parts.part === undefined ? TOPICS : TOPICS.filter(({ topic }) => topic === parts.part)
  return (
    <main id="main" class="page">
      <div class="help-text">
        <h1>Help</h1>
        <nav class="tabs" aria-label="Topics">
          {TOPICS.map(({ topic, title }) => (
            <a key={topic} href={hrefOf(`/help/${topic}`)} aria-current={parts.part === topic ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {shown.map(({ topic, title, Text }) => (
          <section key={topic} id={topic} aria-label={title}>
            <h2>{title}</h2>
            <Text />
          </section>
        ))}
      </div>
    </main>
  )
}
