import { localBugUrl, ownBugAt } from '../../../bugs/links/see-also/see-also.ts'
import { stagedText } from '../import-context.ts'
import type { Staging } from '../staging/staging.ts'

/** The addresses of the old installation and of this one. */
export interface Addresses {
  old: string | undefined
  new: string | undefined
}

/** The address of the old installation, by a link that Bugzilla has marked as one to itself; undefined without one. */
export function addressIn(staging: Staging): string | undefined {
  const link = staging.first(
    `select value from bug_see_also where class like '%::Local' and value like 'http%/show_bug.cgi?id=%' limit 1`,
  )
  return link === undefined ? undefined : stagedText(link.value).replace(/show_bug\.cgi\?id=.*$/s, '')
}

/** Rewrites addresses of bugs of the old installation, in See Also and its history. */
export function rewriter({ old, new: own }: Addresses): (url: string) => string {
  if (old === undefined || own === undefined || old.replace(/\/+$/, '') === own.replace(/\/+$/, '')) return (url) => url
  return (text) =>
    text
      .split(', ')
      .map((url) => {
        const id = ownBugAt(url, old)
        return id === undefined ? url : localBugUrl(id, own)
      })
      .join(', ')
}
