// How an installation looks: its name, its colour and what stands at its edges. The server and the pages read the same parameters.

/** The parameters that every page needs for its look. */
export const LOOK_PARAMETERS = [
  'site_name',
  'site_logo',
  'accent_color',
  'announcehtml',
  'footer_links',
  'login_text',
] as const

type Parameters = Readonly<Partial<Record<string, string>>>

export function siteNameIn({ site_name: name }: Parameters): string {
  return name || 'Lacewing'
}

/** The address of the style sheet with the chosen colour; undefined for the colour that Lacewing comes with. */
export function accentStyleIn({ accent_color: color = '' }: Parameters): string | undefined {
  return /^#[0-9a-f]{6}$/i.test(color) ? `/look/${color.slice(1).toLowerCase()}.css` : undefined
}

export interface FooterLink {
  title: string
  address: string
}

export const MOST_FOOTER_LINKS = 10

/** One link on each line: its title, then its address. Undefined if a line is something else. */
export function footerLinksIn(text: string): FooterLink[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const links = lines.map((line) => {
    const [, title, address] =
      /^(.{1,60})\s(https?:\/\/[!-~]{1,500}|mailto:[!-~]{1,200}|\/[!-~]{0,500})$/i.exec(line) ?? []
    return title === undefined || address === undefined ? undefined : { title: title.trim(), address }
  })
  const known = links.filter((link) => link !== undefined)
  return known.length === lines.length && known.length <= MOST_FOOTER_LINKS ? known : undefined
}
