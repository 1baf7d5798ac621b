import type { Db } from '../../../platform/database/db.ts'
import { presentTimes } from '../waiting/mail-times.ts'
import { readMailTimes } from '../waiting/mail-times-store.ts'
import type { MailTimes } from '../waiting/send-time.ts'
import { type MailPreferences, preferencesOf, presentPreferences } from './mail-preference.ts'
import {
  listChoices,
  listIgnored,
  listWatched,
  listWatchersOf,
  type MailForm,
  readMailForm,
} from './mail-preference-store.ts'

/** The mail preferences of a user. */
export interface MailSettings {
  preferences: MailPreferences
  form: MailForm
  watched: { id: number; login: string }[]
  watchers: { id: number; login: string }[]
  ignored: number[]
  times: MailTimes
}

export async function readMailSettings(db: Db, userId: number): Promise<MailSettings> {
  return {
    preferences: preferencesOf(await listChoices(db, userId)),
    form: await readMailForm(db, userId),
    watched: await listWatched(db, userId),
    watchers: await listWatchersOf(db, userId),
    ignored: await listIgnored(db, userId),
    times: await readMailTimes(db, userId),
  }
}

export const HTML = 'html'
export const TEXT_ONLY = 'text_only'

export function presentMailSettings({ preferences, form, watched, watchers, ignored, times }: MailSettings) {
  return {
    preferences: presentPreferences(preferences),
    email_format: form.is_html === 1 ? HTML : TEXT_ONLY,
    new_prefix: form.has_new_prefix === 1,
    watched_users: watched.map(({ login }) => login),
    watchers: watchers.map(({ login }) => login),
    ignored_bugs: ignored,
    times: presentTimes(times),
  }
}
