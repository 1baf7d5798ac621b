import type { Locator, Page } from 'playwright-core'
import { Keyboard } from '../../support/keyboard.ts'

/** Someone with keys only, on one page. After every key something has the focus (`Keyboard`). */
export class Hands extends Keyboard {
  button(name: string | RegExp, within: Page | Locator = this.page) {
    return within.getByRole('button', { name, exact: typeof name === 'string' })
  }

  /** Tabs to a button and presses Enter. */
  async push(name: string | RegExp) {
    await this.use(this.button(name).first())
  }

  /** Tabs to a field and writes over what it has. */
  async write(label: string | RegExp, text: string, within: Page | Locator = this.page) {
    await this.tabTo(within.getByLabel(label, { exact: typeof label === 'string' }).first())
    await this.press('Control+a')
    await this.type(text)
  }

  /** Opens a menu and takes the item that begins so. */
  async take(menu: string | RegExp, item: string) {
    await this.push(menu)
    await this.type(item)
    await this.press('Enter')
  }

  async says(text: string | RegExp) {
    await this.page.getByText(text).first().waitFor()
    await this.press('Shift')
  }
}

interface Deed {
  address: string
  what: string
  run(hands: Hands): Promise<void>
}

/** What an administrator and a reader do at each place, with keys only: make, change, save, undo, move, delete. */
export const DEEDS: readonly Deed[] = [
  {
    address: '/admin/products',
    what: 'makes a product, and parts of it, which are ordered, saved with Ctrl+Enter, and deleted',
    run: async (hands) => {
      const form = hands.page.getByRole('form', { name: 'A new product' })
      await hands.write(/^Name/, 'Boat', form)
      await hands.write(/^What it is/, 'Floats', form)
      await hands.press('Control+Enter')
      await hands.says('Boat has the component General.')
      await hands.tabTo(hands.page.getByRole('link', { name: 'Boat', exact: true }), 'Shift+Tab')
      await hands.press('Enter')
      await hands.page.getByRole('heading', { level: 1, name: 'Boat' }).waitFor()
      for (const name of ['2.0', '3.0']) {
        await hands.push('New version')
        await hands.type(name)
        await hands.press('Enter')
      }
      await hands.push(/^Remove ?2\.0/)
      await hands.push('New component')
      await hands.type('Mast')
      await hands.write('What belongs in it', 'It carries sails')
      await hands.tabTo(hands.page.getByRole('combobox', { name: 'Owner', exact: true }))
      await hands.choose('edna@', /edna@/)
      await hands.press('Control+Enter')
      await hands.write('Description', 'Floats well')
      await hands.press('Control+Enter')
      await hands.says(/Boat: \d changes saved/)
      await hands.tabTo(hands.button('Move 3.0'))
      await hands.press('Space', 'ArrowUp', 'Space')
      await hands.take('Actions for Mast', 'Close')
      await hands.take('Actions for 3.0', 'Rename')
      await hands.type('.1')
      await hands.press('Enter')
      await hands.push('Discard')
      await hands.says('changes discarded.')
      await hands.press('z')
      await hands.push('Preview what happens')
      await hands.push(/^Save \d changes/)
      await hands.says(/Boat: \d changes saved/)
      await hands.push('Add a group')
      await hands.choose('helpers', /helpers/)
      await hands.tabTo(hands.page.getByLabel('helpers: bugs of members'))
      await hands.type('always')
      await hands.push('Discard')
      await hands.push('Delete…')
      await hands.type('Boat')
      await hands.press('Enter')
      await hands.says('The product Boat is deleted.')
    },
  },
  {
    address: '/admin/classifications',
    what: 'makes a classification and deletes it',
    run: async (hands) => {
      await hands.push('New classification')
      await hands.type('Sea')
      await hands.press('Enter')
      await hands.push('Save')
      await hands.says('Classifications: 1 change saved.')
      await hands.push('Delete Sea')
      await hands.push('Save')
      await hands.push('Save 1 change')
      await hands.says('Classifications: 1 change saved.')
    },
  },
  {
    address: '/admin/people',
    what: 'creates an account, gives and takes groups, undoes, disables and renames',
    run: async (hands) => {
      const { page } = hands
      await hands.push('New account')
      await hands.type('sailor@lacewing.test')
      await hands.press('Control+Enter')
      await hands.says('sailor@lacewing.test')
      await hands.press('/')
      await hands.type('sailor')
      await hands.use(page.locator('.person-link', { hasText: 'sailor@lacewing.test' }))
      await hands.tabTo(page.getByRole('combobox', { name: 'Add to a group' }))
      await hands.type('editb')
      await hands.button('Remove from editbugs').waitFor()
      await hands.press('Shift')
      await hands.push('Remove from editbugs')
      await hands.says('is no longer in editbugs.')
      await hands.press('z')
      await hands.button('Remove from editbugs').waitFor()
      await hands.press('Shift')
      await hands.push('Disable…')
      await hands.type('On leave.')
      await hands.press('Control+Enter')
      await hands.says('At log-in they read: On leave.')
      await hands.push('Close')
      await page.getByRole('region', { name: 'Sessions and keys' }).waitFor({ state: 'detached' })
      await hands.press('Shift')
    },
  },
  {
    address: '/admin/groups',
    what: 'makes a group, adds and removes a person, undoes, and deletes it',
    run: async (hands) => {
      const form = hands.page.getByRole('form', { name: 'A new group' })
      await hands.write(/^Name/, 'sailors', form)
      await hands.write(/^Description|^What/, 'Who sail', form)
      await hands.press('Control+Enter')
      await hands.page.getByRole('heading', { level: 1, name: 'sailors' }).waitFor()
      await hands.push('Add a person')
      await hands.choose('stan@', /stan@/)
      await hands.button('Remove stan@lacewing.test').waitFor()
      await hands.press('Shift')
      await hands.push('Remove stan@lacewing.test')
      await hands.says('stan@lacewing.test was taken out of sailors.')
      await hands.press('z')
      await hands.button('Remove stan@lacewing.test').waitFor()
      await hands.press('Shift')
      await hands.push('Add a group whose members belong here too')
      await hands.choose('helpers', /helpers/)
      await hands.push(/^Remove ?helpers/)
      await hands.write('Login names that belong to it', '^sail')
      await hands.press('Control+Enter')
      await hands.says('sailors: 1 change saved.')
      await hands.push('Remove stan@lacewing.test')
      await hands.button('Remove stan@lacewing.test').waitFor({ state: 'detached' })
      await hands.press('Shift')
      await hands.push('Delete…')
      await hands.type('sailors')
      await hands.press('Enter')
      await hands.says('The group sailors is deleted.')
    },
  },
  {
    address: '/admin/fields',
    what: 'makes a field, adds, orders and deletes values, and deletes it',
    run: async (hands) => {
      const form = hands.page.getByRole('form', { name: 'A new field' })
      await hands.write(/^Name/, 'Sea state', form)
      await hands.write('First values, one per line', 'calm', form)
      await hands.press('Control+Enter')
      await hands.page.getByRole('heading', { level: 1, name: 'Sea state' }).waitFor()
      await hands.push('New value')
      await hands.type('rough')
      await hands.press('Enter')
      await hands.tabTo(hands.button('Move calm'))
      await hands.press('Space', 'ArrowUp', 'Escape')
      await hands.take('Actions for calm', 'Edit')
      await hands.press('Control+a')
      await hands.type('flat')
      await hands.press('Control+Enter')
      await hands.push('Save')
      await hands.says(/Fields: \d changes saved/)
      await hands.take('Actions for flat', 'Delete')
      await hands.push('Save')
      await hands.push('Save 1 change')
      await hands.says('Fields: 1 change saved.')
      await hands.push('Delete…')
      await hands.type('Sea state')
      await hands.press('Enter')
      await hands.says('The field Sea state is deleted.')
    },
  },
  {
    address: '/admin/workflow',
    what: 'changes a step with arrows and Space, and saves it',
    run: async (hands) => {
      await hands.tabTo(hands.button(/^New bug to UNCONFIRMED/))
      await hands.press('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Space')
      await hands.press('Control+Enter')
      await hands.says('Workflow: 1 change saved.')
    },
  },
  {
    address: '/admin/flag-types',
    what: 'makes a flag type, changes where it applies, and deletes it',
    run: async (hands) => {
      const form = hands.page.getByRole('form', { name: 'A new flag type' })
      await hands.write('Name', 'anchored', form)
      await hands.write('What it means', 'It stays', form)
      await hands.press('Control+Enter')
      await hands.page.getByRole('heading', { level: 1, name: 'anchored' }).waitFor()
      await hands.push('Add to “But not to”')
      await hands.choose('TestP', /^TestProduct/)
      await hands.write('What it means', 'It stays there')
      await hands.press('Control+Enter')
      await hands.says(/Flag type: \d changes saved/)
      await hands.push('Delete…')
      await hands.type('anchored')
      await hands.press('Enter')
      await hands.says('The flag type anchored is deleted.')
    },
  },
  {
    address: '/admin/keywords',
    what: 'makes, renames, undoes and deletes a keyword',
    run: async (hands) => {
      await hands.press('n')
      await hands.type('salt')
      await hands.press('Tab')
      await hands.type('From the sea')
      await hands.press('Control+Enter')
      await hands.button('Change salt').waitFor()
      await hands.press('Shift')
      await hands.push('Change salt')
      await hands.type('y')
      await hands.press('Enter')
      await hands.button('Change salty').waitFor()
      await hands.press('z')
      await hands.says('is as before.')
      await hands.push('Delete salt')
      await hands.push('Delete the keyword')
      await hands.says('“salt” is deleted.')
    },
  },
  {
    address: '/admin/canned-replies',
    what: 'makes, renames and deletes a canned reply',
    run: async (hands) => {
      await hands.press('n')
      await hands.type('Steps')
      await hands.press('Tab')
      await hands.type('Which steps?')
      await hands.press('Control+Enter')
      await hands.button('Change Steps').waitFor()
      await hands.push('Change Steps')
      await hands.type('!')
      await hands.press('Enter')
      await hands.button('Change Steps!').waitFor()
      await hands.push('Delete Steps!')
      await hands.push('Delete the canned reply')
      await hands.says('“Steps!” is deleted.')
    },
  },
  {
    address: '/admin/parameters',
    what: 'finds a parameter, changes it, undoes it, and takes it back to its default',
    run: async (hands) => {
      await hands.press('/')
      await hands.type('whinedays')
      await hands.tabTo(hands.page.locator('[data-name=whinedays] input'))
      await hands.press('Control+a')
      await hands.type('5')
      await hands.press('Enter')
      await hands.says('changed')
      await hands.push(/back to the default, 7/)
      await hands.button(/back to the default, 7/).waitFor({ state: 'detached' })
      await hands.press('F6', 'Enter')
      await hands.says('is as before')
    },
  },
  {
    address: '/admin/mail',
    what: 'saves the mail server, and tests it',
    run: async (hands) => {
      const form = hands.page.getByRole('form', { name: 'Mail server' })
      await hands.write('Host', '127.0.0.1', form)
      await hands.write('Port', '9', form)
      await hands.press('Control+Enter')
      await hands.says('The mail server is set.')
      await hands.push('Send a test message to me')
      await hands.page
        .locator('[role=alert], [role=status]')
        .filter({ hasText: /127\.0\.0\.1|ECONN|connect/i })
        .first()
        .waitFor()
      await hands.press('Shift')
    },
  },
  {
    address: '/admin/webhooks',
    what: 'opens the log of a webhook, switches it off and deletes it',
    run: async (hands) => {
      await hands.push(/^Log/)
      await hands.page.getByRole('region', { name: /^Deliveries to/ }).waitFor()
      await hands.press('Shift')
      await hands.push(/^Switch off/)
      await hands
        .button(/^Switch on/)
        .first()
        .waitFor()
      await hands.press('Shift')
      await hands.push(/^Delete/)
      await hands.push('Delete the webhook')
      await hands.page.getByRole('dialog').waitFor({ state: 'detached' })
      await hands.press('Shift')
    },
  },
  {
    address: '/admin/providers',
    what: 'adds, changes, switches off and removes a provider',
    run: async (hands) => {
      await hands.push('New provider')
      await hands.write('Name', 'harbour')
      await hands.write(/^Title/, 'Harbour')
      await hands.write('Issuer', 'https://harbour.example.org')
      await hands.write('Client id', 'bugs')
      await hands.press('Control+Enter')
      await hands.button('Change Harbour').waitFor()
      await hands.press('Shift')
      await hands.push('Change Harbour')
      await hands.write(/^Title/, 'Port')
      await hands.press('Control+Enter')
      await hands.button('Switch off Port').waitFor()
      await hands.press('Shift')
      await hands.push('Switch off Port')
      await hands.button('Switch on Port').waitFor()
      await hands.press('Shift')
      await hands.push('Remove Port')
      await hands.push('Remove the provider')
      await hands.button('Switch on Port').waitFor({ state: 'detached' })
      await hands.press('Shift')
    },
  },
  {
    address: '/admin/audit',
    what: 'filters the audit log',
    run: async (hands) => {
      await hands.press('/')
      await hands.type('Kettle')
      await hands.says(/Kettle/)
    },
  },
  {
    address: '/admin/misuse',
    what: 'finds a person, hides what they wrote, and undoes it',
    run: async (hands) => {
      const { page } = hands
      await hands.tabTo(page.getByRole('combobox', { name: /^Find a person/ }))
      await hands.choose('newword', /newword/)
      await hands.push('Hide what they wrote…')
      await page.getByRole('dialog').getByText('tagged spam').waitFor()
      await hands.press('Control+Enter')
      await hands.says(/^Hidden: /)
      await hands.press('z')
      await hands.says(/^Shown again/)
    },
  },
  {
    address: '/settings',
    what: 'changes the name and ends a session',
    run: async (hands) => {
      await hands.write('Real name', 'Ada of the Sea')
      await hands.press('Control+Enter')
      await hands.says('Your name is changed.')
    },
  },
  {
    address: '/settings/mail',
    what: 'chooses a preset, boxes, people and bugs, and undoes',
    run: async (hands) => {
      const { page } = hands
      await hands.tabTo(page.getByRole('radio', { checked: true }))
      await hands.press('ArrowDown')
      await hands.says(/^You get: /)
      await hands.press('z')
      await hands.says('Undone.')
      await hands.push(/^Stop watching Edna/)
      await hands.button(/^Stop watching Edna/).waitFor({ state: 'detached' })
      await hands.press('Shift')
      await hands.tabTo(page.getByRole('combobox', { name: 'Watch a user' }))
      await hands.choose('edna@', /edna/)
      await hands.button(/^Stop watching Edna/).waitFor()
      await hands.press('Shift')
      await hands.push(/^Stop ignoring bug/)
      await hands.says('You ignore no bug.')
    },
  },
  {
    address: '/settings/searches',
    what: 'orders, renames and deletes a saved search',
    run: async (hands) => {
      await hands.push('Move Leaks up')
      await hands.push('Change Leaks')
      await hands.type('Drips')
      await hands.press('Control+Enter')
      await hands.button(/^Delete .*Drips/).waitFor()
      await hands.press('Shift')
      await hands.push(/^Delete .*Drips/)
      await hands.push('Delete the search')
      await hands.says('is deleted.')
    },
  },
  {
    address: '/settings/scheduled-mail',
    what: 'schedules a mail, changes it and deletes it',
    run: async (hands) => {
      const { page } = hands
      await hands.push('Schedule a mail')
      await hands.write('Subject', 'Tides')
      await hands.tabTo(page.getByRole('checkbox').first())
      await hands.press('Space')
      await hands.press('Control+Enter')
      await hands
        .button(/^Delete ?Tides|^Delete/)
        .first()
        .waitFor()
      await hands.press('Shift')
      await hands.push(/^Preview/)
      await hands.push(/^Delete/)
      await hands.push('Delete the mail')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await hands.press('Shift')
    },
  },
  {
    address: '/settings/webhooks',
    what: 'makes a webhook, tests it and deletes it',
    run: async (hands) => {
      await hands.push('Create a webhook')
      await hands.write('URL', 'http://127.0.0.1:9/sea')
      await hands.press('Control+Enter')
      await hands.push('I have kept it')
      await hands.push(/^Send a test/)
      await hands.page.getByRole('region', { name: /^Deliveries to/ }).waitFor()
      await hands.press('Shift')
      await hands.push(/^Delete/)
      await hands.push('Delete the webhook')
      await hands.page.getByRole('dialog').waitFor({ state: 'detached' })
      await hands.press('Shift')
    },
  },
  {
    address: '/settings/access',
    what: 'ends what acts for the reader',
    run: async (hands) => {
      await hands.push(/^End it.*API key/)
      await hands.push('End it')
      await hands.says(/^Ended: API key/)
    },
  },
  {
    address: '/reports?kind=age',
    what: 'chooses another report and puts it on a dashboard',
    run: async (hands) => {
      await hands.tabTo(hands.page.getByLabel('Report', { exact: true }))
      await hands.type('Open over')
      await hands.page.getByRole('heading', { name: 'Open over time' }).waitFor()
      await hands.push('Add to dashboard')
      await hands.page.getByRole('dialog').getByRole('option', { name: /^Team/ }).waitFor({ state: 'attached' })
      await hands.press('Tab', 'Tab', 'Control+Enter')
      await hands.says('is on the dashboard.')
    },
  },
  {
    address: '/dashboards',
    what: 'makes a dashboard, arranges, adds, changes and removes tiles, renames and deletes it',
    run: async (hands) => {
      const { page } = hands
      await hands.push('New dashboard')
      await hands.type('Harbour')
      await hands.press('Control+Enter')
      await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
      await page.getByRole('region', { name: 'Open over time', exact: true }).waitFor()
      await hands.push('Edit')
      await hands.push('Later Open over time')
      await hands.push('Wider Open over time')
      await hands.push('Add a tile')
      await hands.tabTo(page.getByLabel('Report', { exact: true }))
      await hands.type('Number')
      await hands.press('Control+Enter')
      await page.getByRole('region', { name: 'Number of bugs', exact: true }).waitFor()
      await hands.press('Shift')
      await hands.push(/^(Remove|Delete) Number of bugs/)
      await page.getByRole('region', { name: 'Number of bugs', exact: true }).waitFor({ state: 'detached' })
      await hands.press('Shift')
      await hands.take('Wall, copy, share, delete', 'Name')
      await hands.type('Port')
      await hands.press('Control+Enter')
      await page.getByRole('heading', { level: 1, name: 'Port' }).waitFor()
      await hands.take('Wall, copy, share, delete', 'Delete')
      await hands.push(/^Delete/)
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
      await hands.press('Shift')
    },
  },
]
