import { hrefOf } from '../../core/router.ts'

/** For the administrator of an installation without bugs. */
export function FirstSteps() {
  return (
    <section aria-labelledby="first" class="card help-t first-steps">
      <h2 id="first">First steps</h2>
      <ol>
        <li>
          Look at the{' '}
          <a class="link" href={hrefOf('/products')}>
            products
          </a>
          . Bugs are filed against the components of a product.
        </li>
        <li>
          Make accounts for your people, and decide who may edit bugs: the{' '}
          <a class="link" href={hrefOf('/rest/docs')}>
            REST API
          </a>{' '}
          has calls for it.
        </li>
        <li>
          Set how mail is sent: <code>LACEWING_SMTP_URL</code> and the parameter <code>mailfrom</code>.
        </li>
        <li>
          <a class="link" href={hrefOf('/file')}>
            File the first bug
          </a>
          .
        </li>
      </ol>
    </section>
  )
}
