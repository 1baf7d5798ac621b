import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'

const OWN_MACHINE = /^(?:[\w.-]+\.)?localhost(?=[:/]|$)|^127(?:\.\d+){3}(?=[:/]|$)|^\[::1\]/i

/** The address of a tracker without a slash at its end, from what people paste. Without a scheme it is https, except on this machine. */
export function serverAddress(given: string): string {
  const text = given.trim()
  const scheme = OWN_MACHINE.test(text) ? 'http' : 'https'
  const whole = /^https?:\/\//i.test(text) ? text : `${scheme}://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  const isOther = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https?:/i.test(text)
  if (url === undefined || isOther || text === '' || /\s/.test(text))
    throw new CommandFailure(
      `${text} is not the address of a server. It must be such as https://bugs.example.org.`,
      EXIT.wrongCommandLine,
    )
  if (url.username !== '' || url.password !== '')
    throw new CommandFailure(
      'The address has a user name or a password in it. Leave them out: login asks for them.',
      EXIT.wrongCommandLine,
    )
  const path = url.pathname.replace(/\/(?:rest(?:\.cgi)?|index\.cgi)?\/*$/, '').replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** Whether others on the way could read what is sent. */
export function isOpenToOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !OWN_MACHINE.test(hostname)
}

/** Such as `bugs.example.org`: how a server is called if no other name is given. */
export function usualName(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host}${pathname === '/' ? '' : pathname}`
}

export function looksLikeAddress(text: string): boolean {
  return /[./:]/.test(text) || text === 'localhost'
}
