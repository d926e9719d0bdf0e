// Parts of Nitro that it does not type for us.
declare module '#nitro-internal-pollyfills'
