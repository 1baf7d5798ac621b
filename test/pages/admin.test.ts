import { afterEach } from 'node:test'
import { describeInBrowser } from '../support/browser.ts'
import { auditStories } from './admin/audit.ts'
import { bugzillaTasksStories } from './admin/bugzilla-tasks.ts'
import { cannedRepliesStories } from './admin/canned-replies.ts'
import { classificationsStories } from './admin/classifications.ts'
import { codeStories } from './admin/code.ts'
import { fieldsStories } from './admin/fields.ts'
import { flagTypesStories } from './admin/flag-types.ts'
import { groupsStories } from './admin/groups.ts'
import { keywordsStories } from './admin/keywords.ts'
import { mailStories } from './admin/mail.ts'
import { misuseStories } from './admin/misuse.ts'
import { parametersStories } from './admin/parameters.ts'
import { peopleStories } from './admin/people.ts'
import { productsStories } from './admin/products.ts'
import { programsStories } from './admin/programs.ts'
import { providersStories } from './admin/providers.ts'
import { railStories } from './admin/rail.ts'
import { removalsStories } from './admin/removals.ts'
import { setupStories } from './admin/setup.ts'
import { stateStories } from './admin/state.ts'
import { webhooksStories } from './admin/webhooks.ts'
import { workflowStories } from './admin/workflow.ts'

// One server and one browser for all pages of the administration: each place has its stories in a file of its own.
describeInBrowser('administration on pages', (at) => {
  afterEach(() => at.leave())
  // First, because axe takes longer for each entry that the other stories write.
  auditStories(at)
  railStories(at)
  parametersStories(at)
  stateStories(at)
  productsStories(at)
  peopleStories(at)
  groupsStories(at)
  classificationsStories(at)
  workflowStories(at)
  fieldsStories(at)
  flagTypesStories(at)
  keywordsStories(at)
  removalsStories(at)
  bugzillaTasksStories(at)
  cannedRepliesStories(at)
  mailStories(at)
  webhooksStories(at)
  codeStories(at)
  programsStories(at)
  misuseStories(at)
  providersStories(at)
  setupStories(at)
})
