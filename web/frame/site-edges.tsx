import { footerLinks, notice } from '../core/look.ts'

/** What an administrator tells everybody. */
export function Notice() {
  if (notice.value === '') return null
  return (
    <aside class="site-notice" aria-label="Notice" dir="auto">
      {notice.value}
    </aside>
  )
}

/** Links such as imprint and privacy. */
export function Footer() {
  if (footerLinks.value.length === 0) return null
  return (
    <footer class="site-footer faint small">
      {footerLinks.value.map(({ title, address }) => (
        <a key={`${title} ${address}`} class="link" href={address} dir="auto">
          {title}
        </a>
      ))}
    </footer>
  )
}
