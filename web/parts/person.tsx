import type { PersonLike } from '../core/bugs/people.ts'
import { hrefOf } from '../core/router.ts'

const HUES = 8

interface Props {
  id: number
  name: string
  size?: 16 | 28 | 48
}

function initials(name: string) {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s.\-_]+/)
      .filter((word) => word !== '') ?? []
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}

export function Avatar({ id, name, size }: Props) {
  return (
    <span
      class={`avatar avatar-hue-${(id % HUES) + 1}${size === undefined ? '' : ` avatar-${size}`}`}
      aria-hidden="true"
    >
      {initials(name)}
    </span>
  )
}

/** The real name, or the login name if there is none. */
export function nameOf({ name, real_name }: Pick<PersonLike, 'name' | 'real_name'>) {
  return real_name === '' ? name : real_name
}

export function Person({ person, short, link }: { person: PersonLike; short?: boolean; link?: boolean }) {
  const name = nameOf(person)
  const content = (
    <>
      <Avatar id={person.id} name={name} {...(short && { size: 16 })} />
      <span dir="auto">{short ? name.split(' ')[0] : name}</span>
    </>
  )
  return link ? (
    <a class="person" href={hrefOf(`/user/${encodeURIComponent(person.name)}`)} title={person.name}>
      {content}
    </a>
  ) : (
    <span class="person" title={name}>
      {content}
    </span>
  )
}
