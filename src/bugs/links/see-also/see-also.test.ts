import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../platform/errors.ts'
import { localBugUrl, readLink } from './see-also.ts'

const BASE = 'https://bugs.example.com/tracker'

describe('readLink', () => {
  const kept: [title: string, input: string, url: string][] = [
    [
      'a bug of another Bugzilla',
      'https://bugs.other.org/show_bug.cgi?id=42#c3',
      'https://bugs.other.org/show_bug.cgi?id=42',
    ],
    [
      'only the parameter id of a Bugzilla URL',
      'http://bugs.other.org/x/show_bug.cgi?ctype=xml&id=7',
      'http://bugs.other.org/x/show_bug.cgi?id=7',
    ],
    [
      'a Launchpad bug of any project',
      'https://bugs.launchpad.net/ubuntu/+bug/1234',
      'https://launchpad.net/bugs/1234',
    ],
    ['Launchpad in the short form', 'http://launchpad.net/bugs/1234', 'https://launchpad.net/bugs/1234'],
    [
      'Google Code, always with http',
      'https://code.google.com/p/thing/issues/detail?id=5',
      'http://code.google.com/p/thing/issues/detail?id=5',
    ],
    ['Debian', 'https://bugs.debian.org/1234', 'http://bugs.debian.org/1234'],
    [
      'Debian in the long form',
      'https://bugs.debian.org/cgi-bin/bugreport.cgi?bug=1234',
      'http://bugs.debian.org/1234',
    ],
    ['JIRA', 'https://jira.example.org/browse/ABC-12?focused=1#x', 'https://jira.example.org/browse/ABC-12'],
    ['Trac', 'https://trac.example.org/p/ticket/99?v=1#comment:2', 'https://trac.example.org/p/ticket/99'],
    ['Mantis', 'https://mantis.example.org/view.php?id=31#c9', 'https://mantis.example.org/view.php?id=31'],
    [
      'SourceForge in the old form',
      'http://sourceforge.net/tracker/?func=detail&aid=1&group_id=2&atid=3#x',
      'http://sourceforge.net/tracker/?func=detail&aid=1&group_id=2&atid=3',
    ],
    ['a GitHub issue', 'http://github.com/o/r/issues/8#issuecomment-1', 'https://github.com/o/r/issues/8'],
    ['a GitHub pull request', 'https://github.com/o/r/pull/8', 'https://github.com/o/r/pull/8'],
    ['a URL without http://', 'github.com/o/r/issues/8', 'https://github.com/o/r/issues/8'],
    ['the host in lower case', 'https://GitHub.COM/o/r/issues/8', 'https://github.com/o/r/issues/8'],
  ]
  for (const [title, input, url] of kept) {
    it(`keeps ${title}`, () => assert.deepEqual(readLink(input, BASE), { url }))
  }

  const own: [title: string, input: string, ref: string][] = [
    ['a number', '17', '17'],
    ['an alias', ' crash-on-start ', 'crash-on-start'],
    ['our own address', 'https://bugs.example.com/tracker/show_bug.cgi?id=17', '17'],
    ['our own address with a semicolon', 'https://bugs.example.com/tracker/show_bug.cgi?list_id=5;id=17', '17'],
    ['our own address with http and more', 'http://bugs.example.com/tracker/show_bug.cgi?id=17&x=1#c1', '17'],
  ]
  for (const [title, input, ref] of own) {
    it(`reads ${title} as a bug of this installation`, () => assert.deepEqual(readLink(input, BASE), { ref }))
  }

  const refused: [title: string, input: string][] = [
    ['a page that is not a bug', 'http://t.test/whatever'],
    ['GitLab', 'https://gitlab.com/o/r/-/issues/1'],
    ['Phabricator', 'https://phabricator.example.org/T1'],
    ['the new form of SourceForge', 'https://sourceforge.net/p/thing/bugs/1/'],
    ['a host that only ends like GitHub', 'https://evilgithub.com/o/r/issues/8'],
    ['a host that only ends like Launchpad', 'https://notlaunchpad.net/bugs/1'],
    ['a bug without a number', 'https://bugs.other.org/show_bug.cgi?id=abc'],
    ['a JIRA key in lower case', 'https://jira.example.org/browse/abc-12'],
    ['another scheme', 'ftp://bugs.other.org/show_bug.cgi?id=42'],
    ['a script', 'javascript:alert(1)//show_bug.cgi?id=42'],
    ['data', 'data:text/html,x/ticket/1'],
    ['a name and a password', 'https://me:secret@bugs.other.org/show_bug.cgi?id=42'],
    ['a space inside', 'https://bugs.other.org/show bug.cgi?id=42'],
    ['a line break inside', 'https://bugs.other.org/show_bug.cgi\n?id=42'],
    ['markup', 'https://bugs.other.org/<b>/ticket/1'],
    ['a URL that is too long', `https://bugs.other.org/${'x'.repeat(250)}/ticket/1`],
    ['a host alone', 'https://bugs.other.org'],
    ['only slashes', '//'],
  ]
  for (const [title, input] of refused) {
    it(`refuses ${title}`, () =>
      assert.throws(
        () => readLink(input, BASE),
        (fault) => fault instanceof ApiError && fault.code === 112,
      ))
  }
})

describe('localBugUrl', () => {
  it('is the URL of the bug in Bugzilla’s form', () => {
    assert.equal(localBugUrl(17, `${BASE}/`), 'https://bugs.example.com/tracker/show_bug.cgi?id=17')
  })

  it('is parsed as the same bug', () => assert.deepEqual(readLink(localBugUrl(17, BASE), BASE), { ref: '17' }))
})
