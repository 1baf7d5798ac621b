import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { loadSession, managesGroups } from '../../../core/account/session.ts'
import { go, hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { AdminForm } from '../form.tsx'
import { PlaceHead } from '../place-head.tsx'
import { BlessedGroupPage } from './blessed-group-page.tsx'
import { GroupPage } from './group-page.tsx'
import { type Group, groupAddress } from './group-state.ts'
import { COUNTED_AT_ONCE, type MemberCounts, useMemberCounts } from './use-member-counts.ts'

export function Groups({ item }: { item?: string | undefined }) {
  if (item === undefined) return <GroupList />
  return /^\d+$/.test(item) ? <NumberedGroup number={item} /> : <OneGroup name={item} />
}

function OneGroup({ name }: { name: string }) {
  return managesGroups.value ? <GroupPage name={name} /> : <BlessedGroupPage name={name} />
}

/** Links to a Bugzilla have the number of a group. A group can also have a name of digits. */
function NumberedGroup({ number }: { number: string }) {
  const { body, fault } = useData(addressOf('/group'))
  const { name } =
    body?.groups.find((it) => it.name === number) ?? body?.groups.find(({ id }) => String(id) === number) ?? {}
  useEffect(() => {
    if (name !== undefined && name !== number) go(groupAddress(name), 'replace')
  }, [name])
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  return name === undefined || name === number ? <OneGroup name={number} /> : <Skeleton />
}

const EDITOR_COLUMNS = ['For bugs', 'Pattern'].map((title) => ({ title, isMinor: true }))

function GroupList() {
  const { body, fault, reload } = useData(addressOf('/group'))
  const [text, setText] = useState('')
  const [most, setMost] = useState(COUNTED_AT_ONCE)
  const form = useRef<HTMLDivElement>(null)
  const found = (body?.groups ?? []).filter((it) => isFound(text, it.name, it.description))
  const shown = found.slice(0, most)
  const counts = useMemberCounts(shown)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  return (
    <>
      <p class="muted">
        {managesGroups.value ? 'Who belongs together, and what that opens.' : 'The groups whose members you choose.'}
      </p>
      <PlaceHead
        actions={
          managesGroups.value && (
            <Button icon="plus" onClick={() => form.current?.querySelector('input')?.focus()}>
              New group
            </Button>
          )
        }
      >
        <FindBox label="Find a group" text={text} onText={setText} found={found.length} />
      </PlaceHead>
      {found.length === 0 && <Empty icon="search" title="No group matches" />}
      {found.length > 0 && (
        <div class="scroll-box card">
          <table class="table admin-table group-table">
            <TableHead columns={['Group', 'Members', ...(managesGroups.value ? EDITOR_COLUMNS : [])]} />
            <tbody>
              {shown.map((group) => (
                <tr key={group.id}>
                  <th scope="row">
                    <a class="link" dir="auto" href={hrefOf(groupAddress(group.name))}>
                      {group.name}
                    </a>
                    <div class="faint small" dir="auto">
                      {reasonWithoutFunction(group.name) ?? group.description}
                    </div>
                  </th>
                  <td>
                    <Counts counts={counts.get(group.id)} />
                  </td>
                  {managesGroups.value && <td class="only-wide">{useInWords(group)}</td>}
                  {managesGroups.value && (
                    <td class="monospace only-wide" dir="auto">
                      {group.user_regexp}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length < found.length && (
            <div class="admin-note">
              <Button kind="quiet" size="small" icon="down" onClick={() => setMost(most + COUNTED_AT_ONCE)}>
                {found.length - shown.length} more
              </Button>
            </div>
          )}
        </div>
      )}
      {managesGroups.value && (
        <div ref={form} class="card admin-card">
          <NewGroup />
        </div>
      )}
    </>
  )
}

function Counts({ counts }: { counts: MemberCounts | undefined }) {
  if (counts === undefined) return null
  const { member_count = 0, direct_member_count = 0, inherited_member_count = 0 } = counts
  const matched = member_count - direct_member_count - inherited_member_count
  const ways = [
    direct_member_count > 0 && `${direct_member_count} direct`,
    matched > 0 && `${matched} by pattern`,
    inherited_member_count > 0 && `${inherited_member_count} inherited`,
  ].filter(Boolean)
  return (
    <>
      {member_count}
      <div class="faint small">{ways.join(', ')}</div>
    </>
  )
}

function useInWords({ name, is_bug_group, is_active }: Group) {
  if (reasonWithoutFunction(name) !== undefined) return 'no function here'
  if (!is_bug_group) return 'only gives rights'
  return is_active ? 'restricts bugs' : 'no longer used'
}

function NewGroup() {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [isForBugs, setForBugs] = useState(true)
  const send = async () => {
    await post('/group', { name, description, is_bug_group: isForBugs })
    // Administrators are in it, and can share with it.
    void loadSession()
    go(groupAddress(name.trim()))
    showToast({ kind: 'done', text: `The group ${name.trim()} is there. Add its people next.` })
  }
  return (
    <AdminForm title="A new group" action="Create the group" onSend={send}>
      <TextField label="Name" isNeeded value={name} onText={setName} />
      <TextField
        label="Description"
        hint="Who belongs to it, in words."
        isNeeded
        value={description}
        onText={setDescription}
      />
      <label class="checkbox-label">
        <input
          type="checkbox"
          class="checkbox"
          checked={isForBugs}
          onChange={(event) => setForBugs(event.currentTarget.checked)}
        />
        Bugs can be restricted to it
      </label>
    </AdminForm>
  )
}
