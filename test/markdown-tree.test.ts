import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAllowedAddress } from '../shared/text/allowed-address.ts'
import { type MarkdownNode, markdownTree } from '../shared/text/markdown-tree.ts'
import { sampled } from './support/sample.ts'

/** The tree in a short form: `p(text)`, `a[href](text)`. */
function short(text: string): string {
  return (markdownTree(text) ?? assert.fail('shown as typed')).map(shortOf).join(' ')
}

function shortOf(node: MarkdownNode): string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return `code(${node.text})`
    case 'block':
      return `pre${node.language && `:${node.language}`}(${node.text})`
    case 'task':
      return node.isDone ? '☑' : '☐'
    case 'picture':
      return `img[${node.reference}](${node.text})`
    case 'link':
      return `a[${node.href}](${node.children.map(shortOf).join('')})`
    case 'element': {
      const more = `${node.align ?? ''}${node.start ?? ''}`
      const inner = node.children.map(shortOf).join('')
      return `${node.tag}${more && `.${more}`}${inner && `(${inner})`}`
    }
  }
}

/** From the examples of CommonMark and its extensions: text, tree. */
const CONSTRUCTS: [string, string][] = [
  ['', ''],
  ['![The lamp](attachment:picture-1a.png)', 'p(img[picture-1a.png](The lamp))'],
  ['![](attachment:12)', 'p(img[12]())'],
  ['[text](attachment:12)', 'p(text)'],
  ['![x](attachment:../12)', 'p(![x](attachment:../12))'],
  ['![x](javascript:alert)', 'p(![x](javascript:alert))'],
  ['![x](data:image/png;base64,AAAA)', 'p(![x](data:image/png;base64,AAAA))'],
  ['plain', 'p(plain)'],
  ['a\nb', 'p(abrb)'],
  ['a\n\nb', 'p(a) p(b)'],
  ['*a* _b_ **c** __d__ ***e***', 'p(em(a) em(b) strong(c) strong(d) em(strong(e)))'],
  ['snake_case_name 2*3*4', 'p(snake_case_name 2em(3)4)'],
  ['~~gone~~ ~stays~', 'p(s(gone) ~stays~)'],
  ['# One\n## Two\n###### Six\nUnder\n===', 'h3(One) h4(Two) h6(Six) h3(Under)'],
  ['#no heading', 'p(#no heading)'],
  ['- a\n- b\n  - c', 'ul(li(a)li(bul(li(c))))'],
  ['- a\n\n- b', 'ul(li(p(a))li(p(b)))'],
  ['3. a\n4. b', 'ol.3(li(a)li(b))'],
  ['- [ ] a\n- [x] b\n- [X] c\n- [y] d\n- [ ]e', 'ul(li(☐ a)li(☑ b)li(☑ c)li([y] d)li([ ]e))'],
  ['[ ] no list', 'p([ ] no list)'],
  ['> a\n> > b\n\nc', 'blockquote(p(a)blockquote(p(b))) p(c)'],
  ['    indented\n\n```js\nlet a\n```\n~~~\nb\n~~~', 'pre(indented) pre:js(let a) pre(b)'],
  ['```js onclick=alert(1) class=x\na\n```', 'pre:js(a)'],
  ['`a` ``b`c`` `<i>`', 'p(code(a) code(b`c) code(<i>))'],
  ['***', 'hr'],
  [
    '|a|b|c|\n|-|:-:|-:|\n|1|2|3|',
    'table(thead(tr(th(a)th.center(b)th.right(c)))tbody(tr(td(1)td.center(2)td.right(3))))',
  ],
  ['a  \nb\\\nc', 'p(abrbbrc)'],
  ['\\*a\\* &copy; &#42;b&#42;', 'p(*a* © *b*)'],
  ['[a](http://b.example/c) [d](mailto:e@f.example)', 'p(a[http://b.example/c](a) a[mailto:e@f.example](d))'],
  [
    '<https://a.example/> <b@c.example>',
    'p(a[https://a.example/](https://a.example/) a[mailto:b@c.example](b@c.example))',
  ],
  ['[a][1] [1]\n\n[1]: https://b.example/ "title"', 'p(a[https://b.example/](a) a[https://b.example/](1))'],
  ['[a](/bug/1) [b](#c3)', 'p(a[/bug/1](a) a[#c3](b))'],
  [
    '![lamp](https://a.example/b.png) ![](https://a.example/c.png)',
    'p(a[https://a.example/b.png](lamp) a[https://a.example/c.png](https://a.example/c.png))',
  ],
  ['[![lamp](https://a.example/b.png)](https://c.example/)', 'p(a[https://c.example/](lamp))'],
]

/** Text of attackers: each stays text. */
const HOSTILE: [string, string][] = [
  ['<script>alert(1)</script>', 'p(<script>alert(1)</script>)'],
  ['<img src=x onerror=alert(1)>', 'p(<img src=x onerror=alert(1)>)'],
  ['<div id="main" style="x" class="y">\n\n</div>', 'p(<div id="main" style="x" class="y">) p(</div>)'],
  [
    'a <b onclick="x">b</b> <!-- c --> <?php ?> <![CDATA[d]]>',
    'p(a <b onclick="x">b</b> <!-- c --> <?php ?> <![CDATA[d]]>)',
  ],
  ['[a](javascript:alert(1))', 'p([a](javascript:alert(1)))'],
  ['[a](JaVaScRiPt:alert(1))', 'p([a](JaVaScRiPt:alert(1)))'],
  ['[a](<java\tscript:alert(1)>)', 'p([a](<java\tscript:alert(1)>))'],
  ['[a](&#106;avascript:alert(1))', 'p([a](javascript:alert(1)))'],
  ['[a](java&Tab;script:alert(1))', 'p([a](java\tscript:alert(1)))'],
  ['[a](\\javascript:alert(1))', 'p([a](\\javascript:alert(1)))'],
  ['[a](data:text/html,<script>x</script>)', 'p([a](data:text/html,<script>x</script>))'],
  ['[a](data:image/png;base64,AAAA)', 'p([a](data:image/png;base64,AAAA))'],
  ['[a](vbscript:x) [b](file:///etc/passwd) [c](blob:x)', 'p([a](vbscript:x) [b](file:///etc/passwd) [c](blob:x))'],
  ['<javascript:alert(1)> <data:text/html,x>', 'p(<javascript:alert(1)> <data:text/html,x>)'],
  ['[a]\n\n[a]: javascript:alert(1)', 'p([a]) p([a]: javascript:alert(1))'],
  [
    '[a]\n\n[a]: https://b.example/\n[a]: javascript:x',
    'p(a[https://b.example/](a)) p(a[https://b.example/](a): javascript:x)',
  ],
  ['[__proto__] [constructor] [toString]', 'p([strong(proto)] [constructor] [toString])'],
  [
    '[a](//evil.example) [b](/\\evil.example) [c](evil.html)',
    'p([a](//evil.example) a[/%5Cevil.example](b) [c](evil.html))',
  ],
  [
    '![a](javascript:x) ![b](data:image/svg+xml,<svg/onload=x>)',
    'p(![a](javascript:x) ![b](data:image/svg+xml,<svg/onload=x>))',
  ],
  ['[a](https://b.example/"onmouseover="x)', 'p(a[https://b.example/%22onmouseover=%22x](a))'],
  ['<https://a.example/"onclick="x>', 'p(a[https://a.example/%22onclick=%22x](https://a.example/"onclick="x))'],
  ['[a](https://b.example/ "t\\" onclick=x")', 'p(a[https://b.example/](a))'],
  ['&lt;script&gt; &#60;b&#62; &quot;', 'p(<script> <b> ")'],
  ['a \u202e*b* \u2066c', 'p(a \u202eem(b) \u2066c)'],
  ['a\0b', 'p(a\ufffdb)'],
]

describe('Markdown', () => {
  for (const [text, tree] of CONSTRUCTS)
    it(`makes of ${JSON.stringify(text)}: ${tree}`, () => assert.equal(short(text), tree))

  for (const [text, tree] of HOSTILE)
    it(`leaves nothing dangerous of ${JSON.stringify(text)}`, () => assert.equal(short(text), tree))

  it('marks text in links, so that references in it are not linked again', () => {
    const [paragraph] = markdownTree('bug 1 [bug 2 *bug 3*](https://a.example/) bug 4') ?? []
    assert.deepEqual(
      textsIn(paragraph).map(({ text, isInLink }) => [text, isInLink]),
      [
        ['bug 1 ', false],
        ['bug 2 ', true],
        ['bug 3', true],
        [' bug 4', false],
      ],
    )
  })

  it('shows text as it was typed when the parser would leave parts of it out', () => {
    assert.equal(markdownTree(`${'>'.repeat(10_000)} deep`), undefined)
    assert.equal(markdownTree('1. '.repeat(10_000)), undefined)
    assert.equal(markdownTree('- a\n'.repeat(16_000)), undefined, 'too many elements')
    assert.match(short(`${'> '.repeat(9)}not too deep`), /not too deep/)
  })

  it('keeps every word of formatting that is nested without end', () => {
    const tree = markdownTree(`${'*a **b '.repeat(1000)}${'c** d* '.repeat(1000)}`) ?? assert.fail('shown as typed')
    const words = tree.flatMap(textsIn).flatMap(({ text }) => text.match(/[abcd]/g) ?? [])
    assert.equal(words.length, 4000)
    assert.ok(depthOf(tree) > 50 && depthOf(tree) < 100, `${depthOf(tree)} deep`)
    const links = markdownTree(`${'['.repeat(5000)}a${'](https://b.example/)'.repeat(2000)}`) ?? []
    assert.ok(depthOf(links) < 100)
  })

  it('takes a bounded time for any 65,535 characters', () => {
    const words = ['[', '![', '[a](<b', '*a**a ', '> ', '- a\n', '`', 'a~~b*', '|a', '[a]: b "\n', '<a ', '&#', '> - ']
    const columns = '|a'.repeat(200)
    const texts = [
      ...words.map((word) => word.repeat(Math.ceil(65_535 / word.length)).slice(0, 65_535)),
      `${columns}\n${'|-'.repeat(200)}\n${'|\n'.repeat(32_000)}`,
      `${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${'x\n'.repeat(20_000)}`,
      `${'>'.repeat(90)}\n${'a\n'.repeat(32_000)}`,
      `${'['.repeat(13_000)}${'](a)'.repeat(13_000)}`,
    ]
    for (const text of sampled(texts, 3)) {
      const started = process.threadCpuUsage()
      markdownTree(text)
      const milliseconds = process.threadCpuUsage(started).user / 1000
      assert.ok(milliseconds < 5000, `${JSON.stringify(text.slice(0, 20))} took ${milliseconds} ms`)
    }
  })
})

function textsIn(node: MarkdownNode | undefined): Extract<MarkdownNode, { kind: 'text' }>[] {
  if (node === undefined) return []
  if (node.kind === 'text') return [node]
  return 'children' in node ? node.children.flatMap(textsIn) : []
}

function depthOf(nodes: readonly MarkdownNode[]): number {
  let deepest = 0
  for (const node of nodes) if ('children' in node) deepest = Math.max(deepest, 1 + depthOf(node.children))
  return deepest
}

describe('an address in a comment', () => {
  const allowed = ['http://a', 'https://a.example/b?c#d', 'HTTPS://A', 'mailto:a@b.example', '/bug/1#c2', '/', '#c12']
  const refused = [
    '',
    'a',
    'a:b',
    '//a',
    '/\\a',
    'https:a',
    'https:///a',
    'http:\\\\a',
    ' https://a',
    'https://a b',
    'java\nscript:x',
    'javascript:x',
    'data:x',
    '\u0001javascript:x',
    '#main',
    '?a',
    './a',
    'ftp://a',
    '/\t/a',
  ]
  for (const address of allowed) it(`may be ${JSON.stringify(address)}`, () => assert.ok(isAllowedAddress(address)))
  for (const address of refused)
    it(`may not be ${JSON.stringify(address)}`, () => assert.ok(!isAllowedAddress(address)))
})

// By address, because its types are those of a browser.
const {
  highlighted,
}: {
  highlighted(text: string, language: string): { text: string; kind: string | undefined }[] | undefined
} = await import(new URL('../web/parts/text/highlight.ts', import.meta.url).href)

describe('highlighted code', () => {
  const code = '// <b>\nconst a = "</script>" + 1'

  it('has pieces that together are the code', () => {
    const pieces = highlighted(code, 'js') ?? []
    assert.equal(pieces.map(({ text }) => text).join(''), code)
    assert.deepEqual(
      pieces.filter(({ kind }) => kind !== undefined).map(({ text, kind }) => `${kind}: ${text}`),
      ['comment: // <b>', 'keyword: const', 'string: "</script>"', 'number: 1'],
    )
  })

  it('shows a patch by its lines', () => {
    const kinds = highlighted('-old\n+new\n same', 'diff')?.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['removed', undefined, 'added', undefined])
  })

  it('is only for known languages and for code of a usual length', () => {
    assert.equal(highlighted(code, ''), undefined)
    assert.equal(highlighted(code, '__proto__'), undefined)
    assert.equal(highlighted(code, 'constructor'), undefined)
    assert.equal(highlighted('a'.repeat(20_001), 'js'), undefined)
  })
})
