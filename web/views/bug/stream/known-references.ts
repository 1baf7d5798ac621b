// What the page of a bug knows about the bugs, comments and attachments that texts name.
import { displayValue } from '../../../parts/glyphs.tsx'
import type { KnownReferences } from '../../../parts/text/text-with-links.tsx'
import type { BugStore } from '../bug-store.ts'

export function knownReferences(store: BugStore): KnownReferences {
  return {
    get bugId() {
      return store.bug.value?.id
    },
    bug(id) {
      const known = store.linked.value.get(id)
      if (known === undefined) return undefined
      const state =
        known.resolution === ''
          ? displayValue(known.status)
          : `${displayValue(known.status)} ${displayValue(known.resolution)}`
      return { title: `${state}: ${known.summary}`, isOpen: known.is_open }
    },
    hasComment: (number) =>
      store.comments.value.some(({ count }) => count === number) ||
      store.gaps.value.some(({ from, to }) => number >= from && number <= to),
    attachment(id) {
      const known = store.attachments.value.find((it) => it.id === id)
      return known && { href: `#a${id}`, title: known.summary, isObsolete: known.is_obsolete }
    },
  }
}
