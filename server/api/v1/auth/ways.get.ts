import { canUsePasskeys } from '#host/server/core/people/factors/web-authn.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { SignInWays } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Get the ways to sign in that this instance offers.',
  response: SignInWays,
  handle(_input, { config }) {
    const isOpen = !config.oidc?.only
    return {
      password: isOpen,
      passkey: isOpen && canUsePasskeys(config),
      provider: config.oidc && { label: config.oidc.label }
    }
  }
})
