import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Piece, piecesOf } from '../shared/text/text-pieces.ts'

/** The links of the line, in a short form. */
function linksIn(line: string): string[] {
  const pieces = piecesOf(line)
  assert.equal(pieces.map(({ text }) => text).join(''), line, 'the pieces together are the line')
  return pieces.filter(({ kind }) => kind !== 'text').map(short)
}

function short(piece: Piece): string {
  switch (piece.kind) {
    case 'bug':
      return `bug ${piece.id}${piece.comment === undefined ? '' : ` c${piece.comment}`}: ${piece.text}`
    case 'comment':
      return `c${piece.number}: ${piece.text}`
    case 'attachment':
      return `attachment ${piece.id}: ${piece.text}`
    default:
      return `${piece.kind}: ${piece.text}`
  }
}

const CASES: [string, string[]][] = [
  ['nothing here', []],
  ['', []],
  ['see bug 5.', ['bug 5: bug 5']],
  ['@ann, (@Bo.Lee) and @c-d. @ann’s', ['mention: @ann', 'mention: @Bo.Lee', 'mention: @c-d', 'mention: @ann']],
  [
    'a@b.example x@ann @ann@host http://h/@ann /@ann @@ann é@ann @-ann @ann_',
    ['mail: a@b.example', 'url: http://h/@ann', 'mention: @ann'],
  ],
  ['Bug #5 and BUG5', ['bug 5: Bug #5', 'bug 5: BUG5']],
  ['bug  12 comment 3', ['bug 12 c3: bug  12 comment 3']],
  ['bug 12, comment #3', ['bug 12 c3: bug 12, comment #3']],
  ['bug 1, 2', ['bug 1: bug 1']],
  ['bugs 1, 2,#3 and 4', ['bug 1: bugs 1', 'bug 2: 2', 'bug 3: #3']],
  ['bugs 1, 2, and 3', ['bug 1: bugs 1', 'bug 2: 2', 'bug 3: 3']],
  ['comment 7', ['c7: comment 7']],
  ['comments 1, #2', ['c1: comments 1', 'c2: #2']],
  ['attachment 9 [details]', ['attachment 9: attachment 9']],
  ['debug 5, bugs5x, bug five, bug 5a', ['bug 5: bugs5', 'bug 5: bug 5']],
  ['bug 12345678901', []],
  ['http://a.example/x?y=1#z', ['url: http://a.example/x?y=1#z']],
  ['(see https://a.example/b).', ['url: https://a.example/b']],
  ['https://a.example/b_(c), yes', ['url: https://a.example/b_(c)']],
  ['<http://a.example/>', ['url: http://a.example/']],
  ['"http://a.example/"', ['url: http://a.example/']],
  ['http://a.example/bug 5', ['url: http://a.example/bug']],
  ['http://a.example/?bug=bug5', ['url: http://a.example/?bug=bug5']],
  [
    'ftp://a.example irc://b.example/c news:comp.lang',
    ['url: ftp://a.example', 'url: irc://b.example/c', 'url: news:comp.lang'],
  ],
  ['view-source:http://a.example/', ['url: view-source:http://a.example/']],
  ['javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd', []],
  ['view-source:javascript:alert(1)', []],
  ['http:// https:/x http:x http://. http://- news: news:::', []],
  ['http://[::1]/x', ['url: http://[::1]/x']],
  ['view-source:view-source:http://a.example', ['url: view-source:http://a.example']],
  ['xhttp://a.example', []],
  ['write to a.b+c@d-e.example, please', ['mail: a.b+c@d-e.example']],
  ['mailto:a@b.example', ['mail: a@b.example']],
  ['a@b @c d@', ['mention: @c']],
  ['http://user@a.example/', ['url: http://user@a.example/']],
]

describe('the links in a comment', () => {
  for (const [line, links] of CASES) {
    it(`in ${JSON.stringify(line)}: ${links.length === 0 ? 'none' : links.join('; ')}`, () => {
      assert.deepEqual(linksIn(line), links)
    })
  }

  it('are found within a second in 64 KiB of any hostile text', () => {
    const hostile = [
      'bug '.repeat(1),
      'bugs 1,',
      'bug 1 comment ',
      'bug                ',
      'bug 1'.padEnd(200, ' '),
      'a@',
      'a.',
      'a@a.a.a.',
      'http:',
      'http://',
      'http://a',
      'http://a.',
      'news:a ',
      'news:a))',
      'http://(',
      'http://a)))))',
      'http://a.........',
      'view-source:',
      '1'.repeat(50),
      '#',
      'comments 1, ',
      '((((',
      '\t',
      'attachment #',
      '@a',
      '@a.',
      '@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.',
      ' @a_',
      '@',
    ]
    for (const word of hostile) {
      const line = word.repeat(Math.ceil(65_535 / word.length)).slice(0, 65_535)
      const started = process.threadCpuUsage()
      piecesOf(line)
      const milliseconds = process.threadCpuUsage(started).user / 1000
      assert.ok(milliseconds < 1000, `${JSON.stringify(word)} took ${milliseconds} ms`)
    }
  })
})
