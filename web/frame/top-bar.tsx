import { useEffect } from 'preact/hooks'
import { isAdmin, isInAdministration, me, signOut } from '../core/account/session.ts'
import { setTheme, theme } from '../core/appearance.ts'
import { useCommands } from '../core/keys.ts'
import { siteName } from '../core/look.ts'
import { currentAddress, go, hrefOf, view } from '../core/router.ts'
import { followInbox } from '../core/server/inbox.ts'
import { countTriage, triageCount } from '../core/server/triage-count.ts'
import type { Me } from '../core/server/types.ts'
import { unreadCount } from '../core/server/unread.ts'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Logo } from '../parts/logo.tsx'
import { Menu } from '../parts/menu.tsx'
import { Avatar, nameOf } from '../parts/person.tsx'
import { SearchField } from './search-field.tsx'

interface NavigationItem {
  address: string
  name: string
  icon: string
  views: readonly string[]
}

/** For users who are logged in. */
const DASHBOARDS = '/dashboards'
const INBOX = '/inbox'
const PERSONAL: readonly string[] = [DASHBOARDS, INBOX]

/** For users who work in a queue. */
const TRIAGE = '/triage'

const NAVIGATION: readonly NavigationItem[] = [
  { address: '/', name: 'Home', icon: 'home', views: ['home'] },
  { address: INBOX, name: 'Inbox', icon: 'inbox', views: ['inbox', 'requests'] },
  { address: '/bugs?status=__open__', name: 'Bugs', icon: 'list', views: ['list', 'bug'] },
  { address: TRIAGE, name: 'Triage', icon: 'triage', views: ['triage'] },
  { address: DASHBOARDS, name: 'Dashboards', icon: 'chart', views: ['dashboards', 'dashboard', 'reports'] },
  { address: '/products', name: 'Products', icon: 'box', views: ['products', 'product'] },
]

function NavigationLink({ address, name, icon, views, isTab = false }: NavigationItem & { isTab?: boolean }) {
  return (
    <a href={hrefOf(address)} aria-current={views.includes(view.value.name) ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="nav-text">{name}</span>
      {address === INBOX && <Count count={unreadCount.value} words=" unread" isDot={isTab} />}
      {address === TRIAGE && <Count count={triageCount.value} words=" to triage" isDot={isTab} />}
    </a>
  )
}

interface CountProps {
  count: number | undefined
  words: string
  isDot: boolean
}

/** How much waits for the reader. On a phone it is a dot. */
function Count({ count = 0, words, isDot }: CountProps) {
  if (count === 0) return null
  return (
    <span class={isDot ? 'dot' : 'count'}>
      <span class={isDot ? 'visually-hidden' : undefined}>{count.toLocaleString()}</span>
      <span class="visually-hidden">{words}</span>
    </span>
  )
}

function isShown({ address }: NavigationItem) {
  if (address === TRIAGE) return triageCount.value !== undefined
  return !PERSONAL.includes(address) || me.value !== undefined
}

const COUNTED_AFTER_MILLISECONDS = 1000

function useCounts() {
  const who = me.value?.id
  useEffect(() => {
    if (who === undefined) return
    let stop: (() => void) | undefined
    // The counts of the last page are shown at once, so that this does not delay the first page.
    const timer = setTimeout(() => {
      countTriage().catch(() => undefined)
      stop = followInbox()
    }, COUNTED_AFTER_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [who])
}

export function TopBar() {
  useCounts()
  const isDark = theme.value === 'dark'
  const other = isDark ? 'light' : 'dark'
  useCommands([{ name: `Switch to ${other}`, isEverywhere: true, run: () => setTheme(other) }])
  return (
    <header class="top-bar">
      <a class="brand" href={hrefOf('/')} aria-label={`${siteName.value}, home`}>
        <Logo />
        <span dir="auto">{siteName.value}</span>
      </a>
      <nav class="nav" aria-label="Main">
        {NAVIGATION.filter(isShown).map((it) => (
          <NavigationLink key={it.address} {...it} />
        ))}
      </nav>
      <SearchField />
      <a class="button button-primary" href={hrefOf('/file')}>
        <Icon name="plus" />
        File a bug
      </a>
      <IconButton name={`Switch to ${other}`} icon={isDark ? 'sun' : 'moon'} onClick={() => setTheme(other)} />
      {me.value === undefined ? (
        <a class="button" href={hrefOf(`/login?to=${encodeURIComponent(returnAddress())}`)}>
          Log in
        </a>
      ) : (
        <Account who={me.value} />
      )}
    </header>
  )
}

function returnAddress() {
  const { path, query } = currentAddress.value
  return path + (query === '' ? '' : `?${query}`)
}

function Account({ who }: { who: Me }) {
  const name = nameOf(who)
  useCommands([{ name: 'Log out', isEverywhere: true, run: () => signOut() }])
  return (
    <Menu
      label={`${name}: your menu`}
      at="end"
      buttonClass="icon-button account-button"
      button={<Avatar id={who.id} name={name} size={28} />}
      items={[
        { name: 'My page', icon: 'user', run: () => go(`/user/${encodeURIComponent(who.name)}`) },
        { name: 'Settings', icon: 'gear', run: () => go('/settings') },
        { name: 'Help', icon: 'help', note: '?', run: () => go('/help') },
        ...(isInAdministration.value ? [{ name: 'Administration', icon: 'server', run: () => go('/admin') }] : []),
        ...(isAdmin.value
          ? [{ name: 'REST API', icon: 'code', run: () => location.assign(hrefOf('/rest/docs')) }]
          : []),
        'line',
        { name: 'Log out', icon: 'out', run: () => signOut() },
      ]}
    />
  )
}

/** The navigation at the bottom of the screen, for phones: what has no room for users who are logged in is in a menu. */
export function TabBar() {
  const isMember = me.value !== undefined
  const shown = NAVIGATION.filter(isShown)
  const tabs = isMember ? shown.slice(0, 3) : shown
  const middle = isMember ? 2 : 1
  const tab = (it: NavigationItem) => <NavigationLink key={it.address} {...it} isTab />
  return (
    <nav class="tab-bar" aria-label="Main, phone">
      {tabs.slice(0, middle).map(tab)}
      <NavigationLink address="/file" name="File" icon="plus" views={['file']} />
      {tabs.slice(middle).map(tab)}
      {isMember && (
        <Menu
          label="More"
          at="end"
          buttonClass="tab-more"
          button={
            <>
              <Icon name="more" />
              More
              {triageCount.value ? <span class="dot" /> : null}
            </>
          }
          items={shown.slice(3).map(({ name, icon, address }) => ({ name, icon, run: () => go(address) }))}
        />
      )}
    </nav>
  )
}
