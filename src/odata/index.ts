export { ODataModule } from './odata.module.js';
