import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { search } from '../../src/platform/database/migrations/0005-search.ts'
import { wordsIn } from '../../src/platform/text/words.ts'
import { say, withInsiders } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { type Client, describeOnEachEngine, type World } from '../support/world.ts'

/** The numbers of the bugs that a user finds, in the order in which they come. */
async function found(who: Client, criteria: Record<string, string>): Promise<number[]> {
  const query = new URLSearchParams({ include_fields: 'id', ...criteria })
  const { status, body, text } = await who.get(`/rest/bug?${query}`)
  assert.equal(status, 200, text)
  return body.bugs.map((bug: { id: number }) => bug.id)
}

const content = (text: string, more: Record<string, string> = {}) => ({
  f1: 'content',
  o1: 'matches',
  v1: text,
  ...more,
})

/** On SQLite new words wait for others; so many bugs take the place of any that wait. On PostgreSQL none waits. */
async function pushWaiting(world: World) {
  if (world.engine === 'postgres') return
  const one = () => fileBug(world.rhea, { summary: 'One of many', description: 'Same' })
  await Promise.all(Array.from({ length: 40 }, one))
}

describeOnEachEngine('GET /rest/bug by words', (world) => {
  it('finds a word in the summary and in comments, in any of its forms and in any letter case', async () => {
    const titled = await fileBug(world.rhea, { summary: 'Printer flickers' })
    const described = await fileBug(world.rhea, { description: 'It was FLICKERING for hours.' })
    const discussed = await fileBug(world.rhea)
    await say(world.rhea, discussed, 'Mine has flickered, too.')
    assert.deepEqual(await found(world.nobody, content('flicker')), [titled, described, discussed])
    assert.deepEqual(await found(world.nobody, content('Flickering')), [titled, described, discussed])
    assert.deepEqual(await found(world.nobody, content('flick')), [])
  })

  it('finds the same once the words have gone into the index', async () => {
    const before = await found(world.nobody, content('flicker'))
    await pushWaiting(world)
    assert.deepEqual(await found(world.nobody, content('flicker')), before)
    assert.equal(before.length, 3)
  })

  it('wants all of several words, wherever in the bug they are', async () => {
    const both = await fileBug(world.rhea, { summary: 'Wombat on the lawn', description: 'It eats the hedge.' })
    const one = await fileBug(world.rhea, { summary: 'Wombat in the house' })
    assert.deepEqual(await found(world.nobody, content('wombat')), [both, one])
    assert.deepEqual(await found(world.nobody, content('hedges wombat')), [both])
    assert.deepEqual(await found(world.nobody, content('+wombat -hedge')), [one])
    assert.deepEqual(await found(world.nobody, content('wombat -house -hedge')), [])
  })

  it('wants the words of a phrase one after the other, in one place', async () => {
    const phrase = await fileBug(world.rhea, { summary: 'A purple narwhal swims' })
    const turned = await fileBug(world.rhea, { summary: 'Narwhal, purple' })
    const apart = await fileBug(world.rhea, { summary: 'It is purple', description: 'Narwhal, that is.' })
    assert.deepEqual(await found(world.nobody, content('purple narwhal')), [phrase, turned, apart])
    assert.deepEqual(await found(world.nobody, content('"purple narwhal"')), [phrase])
    assert.deepEqual(await found(world.nobody, content('"purple narwhals" swim')), [phrase])
    assert.deepEqual(await found(world.nobody, content('purple-narwhal')), [phrase])
    assert.deepEqual(await found(world.nobody, content('purple -"purple narwhal"')), [turned, apart])
  })

  it('takes a star for the rest of a word', async () => {
    const bug = await fileBug(world.rhea, { summary: 'Quagmire detected' })
    assert.deepEqual(await found(world.nobody, content('quagm*')), [bug])
    assert.deepEqual(await found(world.nobody, content('quagm')), [])
  })

  it('puts first what has most of the words in its summary', async () => {
    const comments = await fileBug(world.rhea, { summary: 'First', description: 'An axolotl and a tapir.' })
    const half = await fileBug(world.rhea, { summary: 'A tapir', description: 'There is an axolotl, too.' })
    const whole = await fileBug(world.rhea, { summary: 'The axolotl and the tapir' })
    const again = await fileBug(world.rhea, { summary: 'Of tapirs and axolotls', description: 'axolotl axolotl' })
    const text = content('axolotl tapir', { order: 'relevance DESC' })
    assert.deepEqual(await found(world.nobody, text), [whole, again, half, comments])
    assert.deepEqual(await found(world.nobody, { ...text, limit: '2' }), [whole, again])
    assert.deepEqual(await found(world.nobody, { ...text, limit: '2', offset: '1' }), [again, half])
    assert.deepEqual(await found(world.nobody, { ...text, limit: '2', offset: '3' }), [comments])
  })

  it('finds words of scripts that have no spaces, and of any other', async () => {
    const bug = await fileBug(world.rhea, { summary: '文字化けが起きる', description: 'Größenänderung der Schrift' })
    assert.deepEqual(await found(world.nobody, content('文字化け')), [bug])
    assert.deepEqual(await found(world.nobody, content('化文')), [])
    assert.deepEqual(await found(world.nobody, content('GRÖSSENÄNDERUNG')), [])
    assert.deepEqual(await found(world.nobody, content('GRÖßENÄNDERUNG')), [bug])
  })

  it('finds nothing where nothing is looked for, and takes any signs', async () => {
    for (const text of ['---', '"', '""', '*', '-wombat', '§wombat -wombat', 'wombat OR (', "' \\ %", '"a NEAR('])
      assert.deepEqual(await found(world.nobody, content(text)), [], text)
  })

  it('finds the last word of the longest comment', async () => {
    const bug = await fileBug(world.rhea, { description: `${'word '.repeat(13_000)}okapi` })
    assert.deepEqual(await found(world.nobody, content('okapi')), [bug])
  })

  it('finds a comment that was made on several bugs at once in each', async () => {
    const bugs = [await fileBug(world.edna), await fileBug(world.edna)]
    await world.edna.put(`/rest/bug/${bugs[0]}`, { ids: bugs, comment: { body: 'Both have a pangolin' } })
    assert.deepEqual(await found(world.nobody, content('pangolin')), bugs)
  })

  it('forgets the words of a summary that was changed', async () => {
    const bug = await fileBug(world.edna, { summary: 'An ibex climbs' })
    const change = async (summary: string) => {
      const { status } = await world.edna.put(`/rest/bug/${bug}`, { summary })
      assert.equal(status, 200)
    }
    await change('A chamois climbs')
    assert.deepEqual(await found(world.nobody, content('ibex')), [])
    assert.deepEqual(await found(world.nobody, content('chamois')), [bug])
    await pushWaiting(world)
    await change('A markhor climbs')
    for (const moment of ['at once', 'later']) {
      assert.deepEqual(await found(world.nobody, content('chamois')), [], moment)
      assert.deepEqual(await found(world.nobody, content('markhor')), [bug], moment)
      assert.deepEqual(await found(world.nobody, { summary: 'chamois' }), [], moment)
      assert.deepEqual(await found(world.nobody, { summary: 'MARKHOR' }), [bug], moment)
      await pushWaiting(world)
    }
  })

  it('forgets bugs that are removed', async () => {
    const { name } = await newProduct(world)
    const place = { product: name, component: 'Core', summary: 'A quoll lives' }
    await fileBug(world.rhea, { ...place, description: 'The quoll is quick.' })
    await pushWaiting(world)
    await fileBug(world.rhea, place)
    assert.equal((await placesOf(world, 'quoll')).length, 3)
    await world.withParameters({ allowbugdeletion: 1 }, async () => {
      assert.equal((await world.ada.delete(`/rest/product/${name}`)).status, 200)
    })
    assert.deepEqual(await placesOf(world, 'quoll'), [])
  })
})

/** What the index has, whether or not there still is a bug with it. */
function placesOf(world: World, word: string) {
  return world.db.query((q, d) => ({
    compile: () =>
      sql`select id from (${d.bugsWithWords('bug_words', { words: wordsIn(word), isPrefix: false })}) as found`.compile(
        q,
      ),
  }))
}

describeOnEachEngine('GET /rest/bug by words of private comments', (world) => {
  const ranked = content('aardvark', { order: 'relevance DESC' })

  it('finds by them for insiders alone, from the moment when they become private', async () => {
    await withInsiders(world, async () => {
      const open = await fileBug(world.rhea, { summary: 'Seen by all', description: 'An aardvark' })
      const secret = await fileBug(world.sven, { summary: 'Seen by some' })
      const comment = await say(world.sven, secret, 'An aardvark, but hush', { is_private: true })
      const change = async (isPrivate: boolean) => {
        const { status, text } = await world.sven.put(`/rest/bug/${secret}`, {
          comment_is_private: { [comment]: isPrivate },
        })
        assert.equal(status, 200, text)
      }
      for (const _ of ['waiting', 'in the index']) {
        assert.deepEqual(await found(world.nobody, ranked), [open])
        assert.deepEqual(await found(world.stan, content('"aardvark but hush"')), [])
        assert.deepEqual(await found(world.sven, ranked), [open, secret])
        await change(false)
        assert.deepEqual(await found(world.nobody, ranked), [open, secret])
        assert.deepEqual(await found(world.sven, ranked), [open, secret])
        await pushWaiting(world)
        assert.deepEqual(await found(world.stan, ranked), [open, secret])
        await change(true)
        assert.deepEqual(await found(world.nobody, ranked), [open])
        await pushWaiting(world)
      }
    })
  })

  it('excludes a bug by what the reader may read of it, and by nothing else', async () => {
    await withInsiders(world, async () => {
      const bug = await fileBug(world.sven, { summary: 'A numbat' })
      await say(world.sven, bug, 'It digs', { is_private: true })
      assert.deepEqual(await found(world.nobody, content('numbat -digs')), [bug])
      assert.deepEqual(await found(world.sven, content('numbat -digs')), [])
    })
  })
})

describeOnEachEngine('GET /rest/bug by a part of the summary', (world) => {
  it('finds it wherever it is, in any letter case, with any characters', async () => {
    const bug = await fileBug(world.rhea, { summary: '100%_sure: "C:\\Temp" isn’t ÉCRIT', whiteboard: '[Étape_2]' })
    await fileBug(world.rhea, { summary: '100 sure', whiteboard: 'Etape 2' })
    for (const moment of ['waiting', 'in the index']) {
      for (const part of ['0%_s', '%_', '_', '%', '"c:\\t', ':\\', 'isn’t é', 'CRIT', 'sure: "c:\\temp" isn’t écrit'])
        assert.deepEqual(await found(world.nobody, { summary: part }), [bug], `${part}, ${moment}`)
      assert.deepEqual(await found(world.nobody, { whiteboard: 'éTAPE_' }), [bug], moment)
      assert.deepEqual(await found(world.nobody, { summary: 'sure: "c:\\temp" isn’t ecrit' }), [], moment)
      await pushWaiting(world)
    }
  })

  it('finds what either of the two has become, whichever was changed', async () => {
    const bug = await fileBug(world.rhea, { summary: 'A wombat', whiteboard: 'quokka' })
    const changes: [change: object, summary: string, whiteboard: string][] = [
      [{ whiteboard: 'numbat' }, 'wombat', 'numbat'],
      [{ summary: 'A bilby' }, 'bilby', 'numbat'],
      [{ whiteboard: 'potoroo', summary: 'A quoll' }, 'quoll', 'potoroo'],
      [{ whiteboard: '' }, 'quoll', ''],
    ]
    let before = ['wombat', 'quokka']
    // Parts wait for others too, on SQLite, and for more of them than words do.
    const count = world.engine === 'sqlite' ? 70 : 1
    const others = await Promise.all(Array.from({ length: count }, () => fileBug(world.edna, { summary: 'Another' })))
    const push = () => world.edna.put(`/rest/bug/${others[0]}`, { ids: others, whiteboard: world.unique('pushing') })
    for (const [change, summary, whiteboard] of changes) {
      assert.equal((await push()).status, 200)
      assert.equal((await world.edna.put(`/rest/bug/${bug}`, change)).status, 200)
      for (const moment of ['waiting', 'in the index']) {
        for (const part of new Set([...before, summary, whiteboard || 'potoroo'])) {
          const what = `${part} after ${JSON.stringify(change)}, ${moment}`
          assert.deepEqual(await found(world.nobody, { summary: part }), part === summary ? [bug] : [], what)
          assert.deepEqual(await found(world.nobody, { whiteboard: part }), part === whiteboard ? [bug] : [], what)
        }
        await push()
      }
      before = [summary, whiteboard || 'potoroo']
    }
  })

  it('does not confuse the end of the summary with the beginning of the whiteboard', async () => {
    await fileBug(world.rhea, { summary: 'Ends in kiwi', whiteboard: 'fruit' })
    await pushWaiting(world)
    assert.deepEqual(await found(world.nobody, { summary: 'fruit' }), [])
    assert.deepEqual(await found(world.nobody, { whiteboard: 'kiwi' }), [])
    assert.deepEqual(await found(world.nobody, { summary: 'kiwi\nfruit' }), [])
  })
})

describeOnEachEngine('GET /rest/bug by text that an older release has written', (world) => {
  it('finds what has never been in an index', async () => {
    const bug = await fileBug(world.rhea, { summary: 'A Jerboa hops', whiteboard: '[É]', description: 'Jerboas do.' })
    const secret = await withInsiders(world, () => fileBug(world.sven, { summary: 'Another' }))
    await withInsiders(world, () => say(world.sven, secret, 'A jerboa hides', { is_private: true }))
    await forgetTexts(world)
    assert.deepEqual(await found(world.nobody, content('jerboa')), [])
    assert.deepEqual(await found(world.nobody, { summary: 'jerboa' }), [])
    await world.db.transaction((tx) => search.fill(tx))
    assert.deepEqual(await found(world.nobody, content('jerboas')), [bug])
    assert.deepEqual(await found(world.nobody, { summary: 'jerboa', whiteboard: 'é' }), [bug])
    await withInsiders(world, async () => {
      assert.deepEqual(await found(world.sven, content('jerboa')), [bug, secret])
      assert.deepEqual(await found(world.stan, content('jerboa')), [bug])
    })
  })
})

/** What was written lately has gone nowhere else yet. */
async function forgetTexts({ db }: World) {
  await db.query((q) => q.deleteFrom('bug_words'))
  await db.query((q) => q.deleteFrom('private_words'))
  await db.query((q) => q.updateTable('bugs').set({ summary_key: '', whiteboard_key: '' }))
}
