import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PersonLike } from '../../core/bugs/people.ts'
import { hrefOf } from '../../core/router.ts'
import { nameOf } from '../person.tsx'

/** The people whom a text mentions, by the nick in it. */
export const Mentions = createContext<readonly (PersonLike & { nick: string })[]>([])

/** The name that the mentioned person has now; the text as it is written if it mentions nobody whom the reader may know. */
export function MentionLink({ nick, text }: { nick: string; text: string }) {
  const person = useContext(Mentions).find((it) => it.nick === nick)
  if (person === undefined) return <>{text}</>
  return (
    <a class="link" href={hrefOf(`/user/${encodeURIComponent(person.name)}`)} title={text}>
      @<bdi>{nameOf(person)}</bdi>
    </a>
  )
}
