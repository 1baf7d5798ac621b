import { useState } from 'preact/hooks'
import { hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { showToast } from '../core/toasts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Combobox, matchingOptions } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Priority, Severity, Status } from '../parts/glyphs.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Person } from '../parts/person.tsx'
import { Progress } from '../parts/progress.tsx'
import { Empty } from '../parts/states.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { ComposerPreview } from '../parts/text/composer-preview.tsx'
import { Time } from '../parts/time.tsx'

const STATUSES = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'WAITING', 'RESOLVED', 'VERIFIED']
const PRIORITIES = ['Highest', 'High', 'Normal', 'Low', 'Lowest', '---']
const SEVERITIES = ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement']
const FRUIT = ['Apple', 'Cherry', 'Plum', 'Quince'].map((name) => ({ value: name, name }))

const MARKDOWN = `# A heading

Words that are *stressed*, **strong** or ~~gone~~, \`code\`, a [link](https://lamps.example/), and bug 1 comment 2.

> A quote

- [x] done
- [ ] to do

| lamp | price |
|:-----|------:|
| red  | 12    |

\`\`\`js
// Twice as bright
const watts = bulb.watts * 2 + 'W'
\`\`\``

/** Every part of the design system, for engineers. */
export function View() {
  useTitle('Design')
  return (
    <main id="main" class="page stack-large">
      <h1>Design</h1>
      <Buttons />
      <Fields />
      <Glyphs />
      <TabsAndTable />
      <MoreParts />
      <MarkdownParts />
    </main>
  )
}

function Buttons() {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="stack" aria-label="Buttons">
      <h2>Buttons</h2>
      <div class="row wrap">
        <Button
          kind="primary"
          onClick={() => showToast({ kind: 'done', text: 'Done', action: { name: 'Undo', run() {} } })}
        >
          Primary, shows a toast
        </Button>
        <Button onClick={() => setOpen(true)}>Opens a dialog</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Danger</Button>
        <Button unavailable="Resolve it first.">Unavailable</Button>
        <Button isBusy>Saving…</Button>
        <IconButton name="Edit" icon="edit" shortcut="e" onClick={() => {}} />
        <Menu
          label="A menu"
          button={<Icon name="more" />}
          items={[
            { name: 'Copy', icon: 'copy', run() {} },
            { name: 'Verify', refused: 'Resolve it first', run() {} },
            'line',
            { name: 'Delete', icon: 'trash', isDangerous: true, run() {} },
          ]}
        />
      </div>
      {isOpen && (
        <Dialog
          title="Delete the file?"
          onClose={() => setOpen(false)}
          buttons={
            <>
              <Button onClick={() => setOpen(false)}>Keep it</Button>
              <Button kind="danger" onClick={() => setOpen(false)}>
                Delete the file
              </Button>
            </>
          }
        >
          <p>What is deleted does not come back.</p>
        </Dialog>
      )}
    </section>
  )
}

function Fields() {
  const [text, setText] = useState('')
  const [choice, setChoice] = useState('Plum')
  return (
    <section class="stack" aria-label="Fields">
      <h2>Fields</h2>
      <div class="file-fields">
        <TextField label="Text" value={text} onText={setText} hint="A hint." isNeeded />
        <TextField
          label="Wrong"
          value={text}
          onText={setText}
          error="An alias cannot be a number. Put a letter in it."
        />
        <SelectField label="Select" value={choice} options={FRUIT} onChoice={setChoice} />
        <Combobox
          label="Combobox"
          value={choice}
          options={(typed) => matchingOptions(FRUIT, typed)}
          onChoice={({ value }) => setChoice(value)}
        />
      </div>
    </section>
  )
}

function Glyphs() {
  return (
    <section class="stack" aria-label="Glyphs">
      <h2>Status, priority, severity</h2>
      <div class="row wrap">
        {STATUSES.map((value) => (
          <Status key={value} value={value} />
        ))}
      </div>
      <div class="row wrap">
        {PRIORITIES.map((value) => (
          <Priority key={value} value={value} />
        ))}
      </div>
      <div class="row wrap">
        {SEVERITIES.map((value) => (
          <Severity key={value} value={value} />
        ))}
      </div>
    </section>
  )
}

function TabsAndTable() {
  return (
    <section class="stack" aria-label="Tabs and table">
      <h2>Tabs, table, what is being loaded</h2>
      <nav class="tabs" aria-label="Tabs">
        <a href={hrefOf('/help/design')} aria-current="page">
          Design
        </a>
        <a href={hrefOf('/help')}>Help</a>
      </nav>
      <table class="table">
        <TableHead columns={['Lamp', 'Price']} />
        <tbody>
          <tr>
            <td>Red</td>
            <td>12</td>
          </tr>
        </tbody>
      </table>
      <span class="skeleton skeleton-2" />
    </section>
  )
}

function MoreParts() {
  return (
    <section class="stack" aria-label="More">
      <h2>People, times, chips</h2>
      <div class="row wrap">
        <Person person={{ id: 3, name: 'emil@example.com', real_name: 'Emil Novak' }} />
        <Person person={{ id: 4, name: 'noa@example.com', real_name: 'נועה בן־דוד' }} short />
        <Time at={new Date(Date.now() - 720_000).toISOString()} />
        <span class="chip">A chip</span>
        <span class="badge">A badge</span>
        <span class="flag flag-requested">
          <b>review?</b>
        </span>
        <span class="keyword">keyword</span>
      </div>
      <Progress done={68} all={100} label="68 of 100" />
      <div class="card">
        <Empty icon="list" title="Nothing is here">
          <p>What would be here, and how to get it.</p>
        </Empty>
      </div>
    </section>
  )
}

function MarkdownParts() {
  const [markdown, setMarkdown] = useState(MARKDOWN)
  return (
    <section class="stack" aria-label="Markdown">
      <h2>Markdown</h2>
      <textarea
        class="input"
        aria-label="A comment in Markdown"
        rows={6}
        value={markdown}
        onInput={(event) => setMarkdown(event.currentTarget.value)}
      />
      <ComposerPreview text={markdown} isMarkdown />
    </section>
  )
}
