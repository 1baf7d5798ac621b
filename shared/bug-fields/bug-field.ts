/** What a field contains. */
export type FieldKind =
  | 'id'
  | 'line'
  | 'choice'
  | 'place'
  | 'user'
  | 'users'
  | 'person details'
  | 'bug'
  | 'bugs'
  | 'links'
  | 'names'
  | 'keywords'
  | 'groups'
  | 'flags'
  | 'time'
  | 'date'
  | 'hours'
  | 'number'
  | 'yes or no'
  | 'text'

/** Who may read a field of a bug that they see, search in it and read its history, if not everybody; see src/access/visibility/reader-rights.ts. */
export type ReadBy = 'time trackers' | 'insiders'

/** Who may change a field of a bug that they see; see bugs/rights/bug-permissions.ts. */
export type ChangedBy =
  | 'anyone'
  | 'time trackers'
  | 'confirmers'
  | 'comment restricters'
  | 'workers'
  | 'participants'
  | 'participants if reporters choose'

/** Who chooses the value of a field of a new bug. For others it is the default. */
export type ChosenBy = 'reporters if they choose' | 'confirmers' | 'editors' | 'time trackers'

/** How a parameter of a search is compared, under each name of its field. */
export interface Comparison {
  name?: 'substring' | 'allwordssubstr' | 'greaterthaneq' | 'lessthaneq' | 'allwords' | 'matches'
  searchName?: 'allwordssubstr' | 'greaterthaneq' | 'lessthaneq' | 'allwords' | 'matches'
}

/** One field of a bug, or of something that belongs to a bug. Everything that is said about it anywhere follows from this. */
export interface FieldDescription {
  /** In bugs, changes and history of the REST API. */
  readonly name: string
  /** In the call for fields, in searches and in Bugzilla, if it is another name. */
  readonly searchName?: string
  readonly kind: FieldKind
  /** What the field belongs to, if it is not the bug itself. Such fields are searched and recorded, and not read with the bug. */
  readonly of?: 'comment' | 'attachment' | 'flag'

  /** In the call for fields; the number is that of Bugzilla. Without it, the field is in no list of fields. */
  readonly listed?: ListedField
  /** Its values in a new installation, in order. */
  readonly values?: readonly string[]
  /** Of a choice: the value that means that there is none, if it is not `---`. A new bug needs no other. */
  readonly emptyValue?: string
  /** The column of the bug that has its value, or the id of its value. */
  readonly column?: string
  /** Of a place, user or list: the rows that are its values. */
  readonly table?: NamedTable
  /** Parts of the text are found by an index. */
  readonly hasPartsIndex?: true

  /** Whether a bug is returned with it by default, or only on request; undefined if a bug has no such property. */
  readonly returned?: 'by default' | 'on request'
  /** Whether the schema of a bug requires it. Others depend on the caller, or are left out when they are empty. */
  readonly isAlwaysReturned?: true
  readonly readBy?: ReadBy
  /** The parameter that hides the field in pages and mail. Programs read and write it all the same. */
  readonly switchedBy?: SwitchParameter

  readonly changedBy?: ChangedBy
  /** Its place among the fields of one change in the history: those without a number between 13 and 20, in the order of the table. */
  readonly recordedAt?: number
  readonly chosenBy?: ChosenBy
  /** A new bug cannot be filed without it. */
  readonly isRequiredToFile?: true
  /** The parameter with the value of a new bug for which none is given. */
  readonly defaultFrom?: string
  /** Of a line of text. */
  readonly line?: LineRules
  /** Sentences about the parameters of calls. Without one, there is no such parameter, or it is described elsewhere. */
  readonly about?: { readonly search?: string; readonly create?: string; readonly update?: string }

  /** Other names in a quicksearch than `searchName`, which can be shortened as that can. */
  readonly quickNames?: readonly string[]
  /** compat: a quicksearch does not know it by its name in searches. */
  readonly isQuickByOtherNames?: true
  /** A quicksearch knows its names only in full, so that shorter ones mean what they mean in Bugzilla. */
  readonly isQuickInFull?: true
  readonly compared?: Comparison
  /** The event of the mail preferences that a change of it belongs to, if it is not `other`. */
  readonly mailEvent?: 'resolution' | 'keywords' | 'cc' | 'progress' | 'attachment_data' | 'dependencies' | 'component'
  /** The end of the name of the header of mails that has its value. */
  readonly mailHeader?: string
}

export interface ListedField {
  readonly id: number
  readonly label: string
  readonly type?: 'select' | 'keywords' | 'time' | 'links'
  readonly isMandatory?: true
  /** Included in the mail about a new bug. */
  readonly isInNewMail?: true
}

export interface LineRules {
  readonly mostCharacters: number
  /** It cannot be empty. */
  readonly isRequired?: true
  /** compat: texts that mean empty, because forms contain them at the start. */
  readonly meansEmpty?: string
}

export type NamedTable =
  | 'products'
  | 'components'
  | 'versions'
  | 'milestones'
  | 'classifications'
  | 'keywords'
  | 'users'
  | 'groups'

export type SwitchParameter =
  | 'useclassification'
  | 'useqacontact'
  | 'use_see_also'
  | 'usetargetmilestone'
  | 'usestatuswhiteboard'
