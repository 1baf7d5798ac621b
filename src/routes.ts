import type { Call } from './access/call.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import { flagTypeRoutes } from './catalogue/flag-types/flag-type-routes.ts'
import { keywordRoutes } from './catalogue/keywords/keyword-routes.ts'
import { infoRoutes } from './info/info-routes.ts'
import { apiKeyRoutes } from './people/api-keys/api-key-routes.ts'
import { groupRoutes } from './people/groups/group-routes.ts'
import { sessionRoutes } from './people/sessions/session-routes.ts'
import { userRoutes } from './people/users/user-routes.ts'

/** Every call there is. What is listed here is served, documented and checked. */
export const calls: readonly Call[] = [
  ...infoRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...groupRoutes,
  ...flagTypeRoutes,
  ...keywordRoutes,
  ...adminRoutes,
]
