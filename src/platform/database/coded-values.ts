// The numbers that columns hold instead of names. They are those of Bugzilla, and clients send and get some of them.

/** `fields.type` */
export const FIELD_TYPE = {
  special: 0,
  freeText: 1,
  singleSelect: 2,
  multiSelect: 3,
  largeText: 4,
  dateTime: 5,
  bugId: 6,
  bugUrls: 7,
  keywords: 8,
  date: 9,
  integer: 10,
} as const

/** `comments.kind` of a comment that says that votes have confirmed the bug. */
export const POPULAR_VOTES = 3

/**
 * `group_controls.member_control` and `other_control`: how members of a group, and other users, can use it to restrict bugs of a product.
 */
export const CONTROL = { NA: 0, Shown: 1, Default: 2, Mandatory: 3 } as const
