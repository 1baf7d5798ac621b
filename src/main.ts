// Services and mail servers that were set up for an older release start this file.
import './main.mjs'
