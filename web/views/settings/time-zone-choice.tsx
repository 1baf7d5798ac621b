import { exactTime, setTimeZone, timeZone } from '../../core/times.ts'
import { SelectField } from '../../parts/field.tsx'

const THIS_DEVICE = { value: '', name: 'That of this device' }

/** The time zone of all times on the pages, in this browser. */
export function TimeZoneChoice() {
  const zones = Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, name: name.replaceAll('_', ' ') }))
  return (
    <SelectField
      label="Time zone"
      hint={`Now it is ${exactTime(new Date().toISOString())}.`}
      value={timeZone.value ?? ''}
      options={[THIS_DEVICE, ...zones]}
      onChoice={(value) => setTimeZone(value === '' ? undefined : value)}
    />
  )
}
