/** The HTML of a page: its data, and the files that show it. It has no inline script or style, so that the policy can forbid both. */
export interface PageShell {
  /** Shown by link previews and by browsers without scripts. */
  title: string
  /** What link previews show besides the title. */
  description: string | undefined
  /** The one address of what the page shows; undefined if it has none, such as a search. */
  canonical: string | undefined
  /** The path of the base address. */
  root: string
  script: string
  style: string
  /** The second style sheet, which some views need. */
  styleApart: string
  isStyledApart: boolean
  /** The address of the style sheet with the accent colour of the installation. */
  accent: string | undefined
  siteName: string
  /** Scripts that the view needs besides the first one. */
  preload: readonly string[]
  /** Chosen by the reader; undefined for that of their system. */
  theme: string | undefined
  density: string | undefined
  /** For browsers without scripts, as HTML. */
  plain: string
  /** JSON. */
  data: string
}

export const SHELL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function htmlOf(shell: PageShell): string {
  const { root, theme, density } = shell
  const chosen = [theme && `data-theme="${theme}"`, density && `data-density="${density}"`].filter(Boolean)
  const preload = shell.preload.map((file) => `<link rel="modulepreload" href="${root}/assets/${file}">`)
  return `<!doctype html>
<html lang="en" ${chosen.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(shell.title)}</title>
<link rel="icon" type="image/svg+xml" href="${root}/assets/icon.svg">
<link rel="stylesheet" href="${root}/assets/${shell.style}">
<link rel="stylesheet" id="style-apart" ${shell.isStyledApart ? 'href' : 'data-href'}="${root}/assets/${shell.styleApart}">
${shell.accent === undefined ? '' : `<link rel="stylesheet" id="accent" href="${root}${shell.accent}">`}
${preload.join('\n')}
${metadataOf(shell)}
<script type="module" src="${root}/assets/${shell.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>${shell.plain}</noscript>
<script type="application/json" id="first-data" data-root="${root}">${shell.data.replaceAll('<', '\\u003c')}</script>
</body>
</html>
`
}

/** What link previews and search engines read. Searches are for people: search engines find the bugs by their own addresses. */
function metadataOf({ title, description, canonical, siteName }: PageShell): string {
  if (canonical === undefined) return '<meta name="robots" content="noindex">'
  const address = escaped(canonical)
  const preview = [
    `<link rel="canonical" href="${address}">`,
    `<meta property="og:url" content="${address}">`,
    `<meta property="og:title" content="${escaped(title)}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${escaped(siteName)}">`,
  ]
  if (description !== undefined && description !== '') {
    preview.push(`<meta name="description" content="${escaped(description)}">`)
    preview.push(`<meta property="og:description" content="${escaped(description)}">`)
  }
  return preview.join('\n')
}

export function escaped(text: string) {
  return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? '')
}

const ESCAPES = new Map([...`&<>"'`].map((character) => [character, `&#${character.charCodeAt(0)};`]))
