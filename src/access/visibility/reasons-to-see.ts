import type { Settings } from '../../platform/config/settings.ts'

/** The parameters of the installation that decide who sees a bug. */
export type VisibilityRules = Pick<Settings, 'or_groups' | 'useqacontact'>

/** What is known about a bug and a user: conditions in SQL for a bug that exists, plain values for one that was deleted. */
export interface FactsAboutViewer<Fact> {
  isRestricted: Fact
  isInOneOfItsGroups: Fact
  isOutsideOneOfItsGroups: Fact
  isAssignee: Fact
  isQaContact: Fact
  isCreator: Fact
  isCreatorAccessible: Fact
  isOnCcList: Fact
  isCcAccessible: Fact
}

/** How facts are joined. */
export interface Logic<Fact> {
  not(fact: Fact): Fact
  both(one: Fact, other: Fact): Fact
  either(one: Fact, other: Fact): Fact
}

/** One of the reasons for which a user may see a bug. */
export interface VisibilityReason<Fact> {
  says: string
  holds: Fact
}

/** The reasons for which a user may see a bug; one is enough. This is the only place that has them. */
export function reasonsFrom<Fact>(
  rules: VisibilityRules,
  viewer: FactsAboutViewer<Fact>,
  { not, both, either }: Logic<Fact>,
): readonly VisibilityReason<Fact>[] {
  const inGroups = rules.or_groups
    ? {
        says: 'The bug is restricted to no group, or to some that they are in.',
        holds: either(not(viewer.isRestricted), viewer.isInOneOfItsGroups),
      }
    : {
        says: 'The bug is restricted to no group that they are not in.',
        holds: not(viewer.isOutsideOneOfItsGroups),
      }
  const asQaContact = { says: 'They are its QA contact.', holds: viewer.isQaContact }
  return [
    inGroups,
    { says: 'They are its assignee.', holds: viewer.isAssignee },
    ...(rules.useqacontact ? [asQaContact] : []),
    {
      says: 'They reported it, and its reporter may see it.',
      holds: both(viewer.isCreatorAccessible, viewer.isCreator),
    },
    {
      says: 'They are on its CC list, and people on that list may see it.',
      holds: both(viewer.isCcAccessible, viewer.isOnCcList),
    },
  ]
}
