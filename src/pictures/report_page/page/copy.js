'use strict';
const copyText = async (code, button) => {
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    document.execCommand('copy');   // pages from disk may have no clipboard
  }
  button.textContent = 'Copied';
};
for (const button of document.querySelectorAll('.commands button'))
  button.addEventListener('click', () => copyText(button.previousElementSibling, button));
