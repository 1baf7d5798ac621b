import { Icon } from '../../parts/icon.tsx'

/** What each scope means for the reader. */
const WORDS: Readonly<Record<string, { name: string; about: string }>> = {
  read: { name: 'Only read', about: 'Search and read what you may see, also bugs that not everybody sees.' },
  propose: { name: 'Read and propose', about: 'Nothing changes until a person accepts what the program proposes.' },
  write: { name: 'Read and write', about: 'File and change bugs, comment and attach files, in your name.' },
}

interface Props {
  scopes: readonly string[]
  chosen: string
  onChoice(scope: string): void
}

export function ScopeChoice({ scopes, chosen, onChoice }: Props) {
  return (
    <fieldset class="scope-choice">
      <legend>What it may do</legend>
      {scopes.map((scope) => (
        <label key={scope} class="checkbox-label">
          <input
            class="checkbox"
            type="radio"
            name="scope"
            value={scope}
            checked={scope === chosen}
            onChange={() => onChoice(scope)}
          />
          <span>
            <b>{WORDS[scope]?.name ?? scope}</b>
            <span class="small muted scope-about">{WORDS[scope]?.about}</span>
          </span>
        </label>
      ))}
      {chosen === 'write' && (
        <div class="note note-warn">
          <Icon name="warn" />
          <div>
            Texts in bugs are written by anybody. They can mislead a program that works with a language model, which
            then writes in your name.
          </div>
        </div>
      )}
    </fieldset>
  )
}
