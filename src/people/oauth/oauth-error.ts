/** The errors of OAuth that this server returns, as the standards name them. */
export type OAuthErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error'

/** A refusal of a call of OAuth, which has error responses of its own. The description never repeats what was sent. */
export class OAuthError extends Error {
  readonly error: OAuthErrorName
  readonly status: number

  constructor(error: OAuthErrorName, description: string, status = error === 'invalid_client' ? 401 : 400) {
    super(description)
    this.error = error
    this.status = status
  }
}
