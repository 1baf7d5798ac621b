import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { signatureHeaders } from '../src/outbound/webhooks/http/signature.ts'
import { findProgram } from './support/debian-program.ts'
import { fencedIn } from './support/doc-examples.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const BODY = '{"version": 1, "data": {"comment": "Größer ‘quoted’ $HOME `x`\\n"}}\n'
const now = Math.floor(Date.now() / 1000)

const headersOf = (secrets: readonly string[], seconds = now) =>
  signatureHeaders(secrets, { id: 'msg_1', seconds, body: BODY })

interface Case {
  title: string
  headers: Record<string, string>
  body: string
  isGenuine: boolean
}

const CASES: readonly Case[] = [
  { title: 'a message', headers: headersOf([SECRET]), body: BODY, isGenuine: true },
  { title: 'one after a change of the secret', headers: headersOf([OTHER, SECRET]), body: BODY, isGenuine: true },
  { title: 'another secret', headers: headersOf([OTHER]), body: BODY, isGenuine: false },
  { title: 'another body', headers: headersOf([SECRET]), body: `${BODY} `, isGenuine: false },
  { title: 'another id', headers: { ...headersOf([SECRET]), 'webhook-id': 'msg_2' }, body: BODY, isGenuine: false },
  { title: 'an old message', headers: headersOf([SECRET], now - 3600), body: BODY, isGenuine: false },
  { title: 'no number', headers: { ...headersOf([SECRET]), 'webhook-timestamp': 'x' }, body: BODY, isGenuine: false },
  { title: 'no signature', headers: { ...headersOf([SECRET]), 'webhook-signature': '' }, body: BODY, isGenuine: false },
]

const codeIn = (language: string) => {
  const [block] = fencedIn('docs/api/webhook.md').filter((it) => it.language === language)
  assert.ok(block, language)
  return block.text
}

/** Whether the code accepts the message: it prints yes or no. */
function accepts(program: string, args: readonly string[], { body }: Case): boolean {
  const { status, stdout, stderr } = spawnSync(program, args, { input: body, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^(yes|no)$/m)
  return stdout.trim() === 'yes'
}

describe('the code of docs/api/webhook.md that checks signatures', () => {
  it('is right in JavaScript', () => {
    const ask = `import { readFileSync } from 'node:fs'
      const [secret, headers] = process.argv.slice(1)
      console.log(isGenuine(secret, JSON.parse(headers), readFileSync(0)) ? 'yes' : 'no')`
    const words = ['--input-type=module', '-e', `${codeIn('js')}\n${ask}`, '--', SECRET]
    for (const one of CASES)
      assert.equal(accepts(process.execPath, [...words, JSON.stringify(one.headers)], one), one.isGenuine, one.title)
  })

  it('is right in Python', () => {
    const python = findProgram({ name: 'python3', package: 'python3-minimal', versionOption: '--version' })
    if (python === undefined) return
    const ask = `import json, sys
secret, headers = sys.argv[1:]
print("yes" if is_genuine(secret, json.loads(headers), sys.stdin.buffer.read()) else "no")`
    const words = ['-c', `${codeIn('python')}\n${ask}`, SECRET]
    for (const one of CASES)
      assert.equal(accepts(python, [...words, JSON.stringify(one.headers)], one), one.isGenuine, one.title)
  })

  it('is right in a shell', () => {
    const openssl = findProgram({ name: 'openssl', package: 'openssl', versionOption: 'version' })
    if (openssl === undefined) return
    const ask = 'is_genuine "$@" && echo yes || echo no'
    for (const one of CASES) {
      const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => one.headers[name] ?? '')
      const words = ['-c', `${codeIn('bash')}\n${ask}`, 'bash', SECRET, ...headers]
      assert.equal(accepts('bash', words, one), one.isGenuine, one.title)
    }
  })
})
