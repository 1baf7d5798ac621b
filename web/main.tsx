import { render } from 'preact'
import { view } from './core/router.ts'
import './core/server/connection.ts'
import { loadSession } from './core/account/session.ts'
import { openFirstPage } from './core/first-page.ts'
import { followAccent } from './core/look.ts'
import { App } from './frame/app.tsx'
import { loadView } from './frame/load-view.ts'

openFirstPage()
// Both responses come with the page, so that the first frame is complete.
await Promise.all([loadSession(), loadView(view.value.name)])
followAccent()
const app = document.getElementById('app')
if (app !== null) render(<App />, app)
