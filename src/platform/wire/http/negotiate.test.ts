import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formFor } from './negotiate.ts'

describe('the format of a response', () => {
  const cases: [accept: string | undefined, form: string][] = [
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['APPLICATION/JSON; charset=utf-8', 'json'],
    ['application/*', 'json'],
    ['application/javascript', 'javascript'],
    ['text/javascript', 'javascript'],
    ['text/html', 'html'],
    ['Text/HTML', 'html'],
    ['text/*', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['application/json, text/html', 'json'],
    ['text/html, application/json', 'html'],
    ['text/html;q=0.4, application/json;q=0.5', 'json'],
    ['text/html;q=0.9, application/json;q=0.5', 'html'],
    ['*/*, text/html', 'html'],
    ['*/*;q=0.8, application/javascript;q=0.9', 'javascript'],
    ['text/html;level=1;q=0.3, application/json;q=0.2', 'html'],
    ['text/html ; q = 0.1, application/json ; q=0.2', 'html'],
    ['text/html;q=0', 'json'],
    ['text/html;q=-1', 'json'],
    ['text/html;q=nonsense', 'json'],
    ['text/html;q=0, */*;q=0.1', 'json'],
    ['application/xml', 'json'],
    ['image/png;q=1, text/html;q=0.1', 'html'],
    [',,;;q=1,', 'json'],
    ['constructor', 'json'],
    ['__proto__, toString', 'json'],
  ]
  for (const [accept, form] of cases) it(`is ${form} for Accept: ${accept}`, () => assert.equal(formFor(accept), form))

  const others = new Map([['text/csv', 'csv'] as const])
  const more: [accept: string | undefined, form: string][] = [
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv;q=0.5, */*;q=0.1', 'csv'],
    ['text/csv;q=0.1, application/json', 'json'],
    ['text/html, text/csv', 'html'],
    ['text/*', 'html'],
    ['*/*', 'json'],
    [undefined, 'json'],
  ]
  for (const [accept, form] of more)
    it(`is ${form} for Accept: ${accept} where there is also CSV`, () => assert.equal(formFor(accept, others), form))

  it('is JSON for a format that the call does not have', () => assert.equal(formFor('text/csv'), 'json'))

  it('is found quickly in a very long header', () => {
    assert.equal(formFor(`${'text/plain;q=0.1,'.repeat(3000)}text/html`), 'html')
  })
})
