import { storeParameter } from '../../access/installation.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'

/** From now on contents are in the data folder, and the S3 store of the parameters is neither read nor changed. */
export async function forgetStore(tx: ConfigurationTransaction) {
  await storeParameter(tx, 'attachment_store', 'local')
  for (const name of ['s3_endpoint', 's3_bucket', 's3_access_key', 's3_secret_key'] as const)
    await storeParameter(tx, name, '')
}
