import { localBugUrl, ownBugAt } from '../../../bugs/links/see-also/see-also.ts'

/** The addresses of the old installation and of this one. */
export interface Addresses {
  old: string | undefined
  new: string | undefined
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
