import { expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '<img src=x onerror=document.title=1>"&\u202e'

export function cannedRepliesStories(at: BrowserWorld) {
  itInSoak(
    'creates, finds, changes and deletes canned replies of all products, and says what will happen',
    async () => {
      const { page } = await at.visit('/admin/canned-replies', { as: 'ada' })
      await page.getByText('There are no canned replies yet').waitFor()
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Steps')
      await dialog.getByLabel('Text').fill(HOSTILE)
      await dialog.getByLabel('Group').fill('no such group')
      await dialog.getByText('Members of no such group can put it into comments').waitFor()
      await dialog.getByRole('button', { name: 'Create the canned reply' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Group').fill('')
      await expectAccessibleInSoak(page)
      await dialog.getByRole('button', { name: 'Create the canned reply' }).click()
      const row = page.getByRole('listitem').filter({ hasText: HOSTILE })
      await row.getByText('every user').waitFor()
      await page.getByRole('searchbox', { name: 'Find a canned reply' }).fill('nothing like it')
      await page.getByText('No canned reply matches').waitFor()
      await page.getByRole('searchbox', { name: 'Find a canned reply' }).fill('STEP')
      await row.getByRole('button', { name: 'Change Steps' }).click()
      await dialog.getByLabel('Name').fill('Steps again')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('complementary', { name: 'What changed here' }).getByText('Steps again').first().waitFor()
      await row.getByRole('button', { name: 'Delete Steps again' }).click()
      await dialog.getByRole('button', { name: 'Delete the canned reply' }).click()
      await page.getByText('“Steps again” is deleted.').waitFor()
    },
  )
}
