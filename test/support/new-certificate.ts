import { execFileSync } from 'node:child_process'

/** A certificate for a host name that nobody has signed, with its key. Both are in one text. */
export function newCertificate(openssl: string, host: string): { key: string; cert: string } {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const options = { encoding: 'utf8', stdio: 'pipe' } as const
  const text = execFileSync(openssl, ['req', ...kind, '-subj', `/CN=${host}`, '-keyout', '-', '-out', '-'], options)
  return { key: text, cert: text }
}
