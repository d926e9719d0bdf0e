import { defineNitroPlugin } from 'nitropack/runtime'
import { connect } from '../../database.ts'

export default defineNitroPlugin((nitro) => {
  const connected = connect()`select 1`
  nitro.hooks.hook('request', async (event) => {
    event.context.row = await connected
  })
})
