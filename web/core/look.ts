// How this installation looks, from its parameters.
import { computed, effect } from '@preact/signals'
import { accentStyleIn, footerLinksIn, siteNameIn } from '../../shared/look.ts'
import { parameters } from './account/session.ts'
import { root } from './server/known-answers.ts'

export const siteName = computed(() => siteNameIn(parameters.value))
export const hasOwnName = computed(() => (parameters.value.site_name ?? '') !== '')
/** A picture as a data address; empty for the one of Lacewing. */
export const siteLogo = computed(() => parameters.value.site_logo ?? '')
export const notice = computed(() => (parameters.value.announcehtml ?? '').trim())
export const loginText = computed(() => (parameters.value.login_text ?? '').trim())
export const footerLinks = computed(() => footerLinksIn(parameters.value.footer_links ?? '') ?? [])

/** The page comes with the style sheet of its colour; this follows when an administrator chooses another one. */
export function followAccent() {
  return effect(() => {
    const style = accentStyleIn(parameters.value)
    const link = document.getElementById('accent')
    if (style === undefined) return link?.remove()
    const address = root + style
    if (link?.getAttribute('href') === address) return
    const next = document.createElement('link')
    Object.assign(next, { rel: 'stylesheet', id: 'accent', href: address })
    link?.remove()
    document.head.append(next)
  })
}
