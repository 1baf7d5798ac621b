// The style sheet of views that fewer readers open. The page has a link for it at its place among the sheets, which gets its address when
// the sheet is needed: some browsers also load a sheet that is disabled.

let loaded: Promise<void> | undefined

/** Loads the sheet, so that a view is not drawn before its style is there. */
export function loadStyleApart(): Promise<void> {
  loaded ??= load(document.getElementById('style-apart'))
  return loaded
}

async function load(link: HTMLElement | null) {
  if (!(link instanceof HTMLLinkElement) || link.dataset.href === undefined) return
  const ends = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve(), { once: true })
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)), { once: true })
  })
  link.href = link.dataset.href
  await ends
}
