// Stands inside the page on which a phone learns to trust the desk: asks the encrypted address whether it opens without a
// warning, which it does only once the phone trusts it. Without this script the link is just followed.
const check = document.querySelector('[data-check]')
const said = document.querySelector('[data-said]')

const goes = async () => {
    try {
        const answer = await fetch(check.dataset.check, { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(8000) })
        return answer.ok
    } catch { return false }
}

const go = async (isQuiet) => {
    if (await goes()) return location.replace(check.href)
    if (!isQuiet) said.textContent = said.dataset.said
}

check.addEventListener('click', (event) => {
    event.preventDefault()
    said.textContent = ''
    go(false)
})
// Who came for the desk itself is not kept here once the phone trusts it.
if (location.hash === '#on') go(true)
