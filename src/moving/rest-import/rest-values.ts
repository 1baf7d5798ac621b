import { isObject, type Json } from '../rest-client/rest-server.ts'

export type JsonObject = { [name: string]: Json }

/** The text of a value; of other types than text and number it is empty. */
export function restText(value: Json | undefined): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // No PostgreSQL text can have NUL, and no UTF-8 half of a surrogate pair.
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : ''
}

/** A whole number, also one in a text. */
export function restNumber(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** Hours. */
export function restHours(value: Json | undefined): number {
  const hours = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isFinite(hours) && Math.abs(hours) < 1e7 ? hours : 0
}

export function restYes(value: Json | undefined): 0 | 1 {
  return value === true || value === 1 || value === '1' || value === 'true' ? 1 : 0
}

/** 1 unless the value is false, for fields that older releases do not return. */
export function restYesByDefault(value: Json | undefined): 0 | 1 {
  return value === undefined || value === null ? 1 : restYes(value)
}

export function restObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function restTexts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(restText).filter((text) => text !== '') : []
}

/** `2021-03-04T05:06:07Z` as `2021-03-04 05:06:07`, which the import reads as UTC. */
export function restTime(value: Json | undefined): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(restText(value))
  return match === null
    ? /^\d{4}-\d\d-\d\d$/.test(restText(value))
      ? `${restText(value)} 00:00:00`
      : null
    : `${match[1]} ${match[2]}`
}

/** Zones are up to 13 hours ahead of UTC and 10 hours behind it, with few exceptions in the Pacific. */
const TO_THE_DAY = 13 * 3_600_000

/**
 * The day of a custom date. Bugzilla returns midnight of its own zone in UTC: in Berlin, 3 March is 2 March at 23:00.
 * Lacewing returns midnight of UTC.
 */
export function restDay(value: Json | undefined): string | null {
  const moment = Date.parse(`${restTime(value)?.replace(' ', 'T')}Z`)
  return Number.isNaN(moment) ? null : new Date(moment + TO_THE_DAY).toISOString().slice(0, 10)
}

export function propertyOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
